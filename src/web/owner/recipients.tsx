import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import { Button, IconButton, SummaryButton } from '../components/button.js';
import { Card } from '../components/card.js';
import { FormErrors, Input } from '../components/fields.js';
import { useForm } from '../components/filled-form.js';
import { Form, useTexts, Data } from '../components/site.js';
import { People, Person } from '../components/split.js';
import { TextWithTime } from '../components/words.js';

interface RecipientsProps {
  push: OwnPushDto;
  /** See `OwnActivity`. */
  lastOpenings?: Map<string, Date>;
}

/** Who may open a push, for its owner, who may change that; nothing if that is anyone. */
export function Recipients({ push, lastOpenings }: RecipientsProps) {
  const t = useTexts();
  const { url_token: urlToken, recipients = [], once_per_recipient: isOnce } = push;
  const to = `/p/${urlToken}/recipients`;
  const { errors, typed } = useForm(to);
  if (!push.recipients && !errors) return null;
  const shown = errors?.recipients ? { add: errors.recipients } : errors;
  const hasFailed = errors !== undefined;
  return (
    <Card title="audit.who">
      <Form to={to}>
        <People>
          {recipients.map((recipient) => (
            <Person
              key={recipient}
              icon={recipient.startsWith('@') ? 'people' : 'person'}
              name={<Data>{recipient}</Data>}
              state={lastOpenings && <Opening at={lastOpenings.get(recipient)} />}
              action={
                recipients.length > 1 && (
                  <IconButton
                    type="submit"
                    icon="x"
                    label={t.text('recipients.removeOne', { recipient })}
                    name="remove"
                    value={recipient}
                  />
                )
              }
            />
          ))}
        </People>
      </Form>
      {isOnce && <p class="small quiet">{t.text('recipients.once')}</p>}
      <details class="gap-top" open={hasFailed ? true : undefined}>
        <SummaryButton size="small" icon="plus" isWide>
          {t.text('recipients.addPerson')}
        </SummaryButton>
        <FormErrors of={to} errors={shown} />
        <Form to={to} class="stack gap-top">
          <Input
            name="add"
            label={t.text('recipients.add')}
            hint={t.text('recipients.addHint')}
            value={typed.add}
            inputMode="email"
            autocomplete="off"
            required
            errors={shown}
            autofocus={hasFailed}
          />
          <Button>{t.text('recipients.addSubmit')}</Button>
        </Form>
      </details>
    </Card>
  );
}

function Opening({ at }: { at: Date | undefined }) {
  const t = useTexts();
  return at ? (
    <TextWithTime of="recipients.opened" at={at} format="named" />
  ) : (
    <>{t.text('recipients.notOpened')}</>
  );
}
