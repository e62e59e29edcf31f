import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import { useForm } from '../components/filled-form.js';
import { FormErrors, Input } from '../components/fields.js';
import { Form, useTexts, Data, UNTRANSLATED } from '../components/site.js';

/** Who may open a push, for its owner, who may change that; nothing if that is anyone. */
export function Recipients({ push }: { push: OwnPushDto }) {
  const t = useTexts();
  const { url_token: urlToken, recipients = [], once_per_recipient: isOnce } = push;
  const to = `/p/${urlToken}/recipients`;
  const { errors, typed } = useForm(to);
  if (!push.recipients && !errors) return null;
  const shown = errors?.recipients ? { add: errors.recipients } : errors;
  return (
    <section class="card">
      <h2>{t.text('recipients.title')}</h2>
      <p>
        {t.text('recipients.intro')} {isOnce && t.text('recipients.once')}
      </p>
      <FormErrors of={to} errors={shown} />
      <Form to={to}>
        <ul class="recipients">
          {recipients.map((recipient) => (
            <li key={recipient}>
              <Data>{recipient}</Data>
              {recipients.length > 1 && (
                <button class="secondary small" name="remove" value={recipient}>
                  {t.text('recipients.remove')}{' '}
                  <span class="visually-hidden" {...UNTRANSLATED}>
                    {recipient}
                  </span>
                </button>
              )}
            </li>
          ))}
        </ul>
      </Form>
      <Form to={to}>
        <Input
          name="add"
          label={t.text('recipients.add')}
          value={typed.add}
          inputMode="email"
          autocomplete="off"
          required
          errors={shown}
          autofocus={errors !== undefined}
        />
        <button class="secondary">{t.text('recipients.addSubmit')}</button>
      </Form>
    </section>
  );
}
