import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import type { FieldErrors } from '../components/fields.js';
import { FormErrors, Input } from '../components/fields.js';
import { Form, useTexts, Data, UNTRANSLATED } from '../components/site.js';

interface RecipientsProps {
  push: OwnPushDto;
  /** What was typed, when the form is shown again. */
  typed?: string;
  errors?: FieldErrors;
}

/** Who may open a push, for its owner, who may change that. */
export function Recipients({ push, typed, errors }: RecipientsProps) {
  const t = useTexts();
  const { url_token: urlToken, recipients = [], once_per_recipient: isOnce } = push;
  const shown = errors?.recipients ? { add: errors.recipients } : errors;
  return (
    <section class="card">
      <h2>{t.text('recipients.title')}</h2>
      <p>
        {t.text('recipients.intro')} {isOnce && t.text('recipients.once')}
      </p>
      <FormErrors errors={shown} />
      <Form to={`/p/${urlToken}/recipients`}>
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
      <Form to={`/p/${urlToken}/recipients`}>
        <Input
          name="add"
          label={t.text('recipients.add')}
          value={typed}
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
