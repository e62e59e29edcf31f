import type { TextKey } from '../../texts/en.js';
import type { OwnWebhook } from '../../webhooks/webhooks.service.js';
import type { FieldErrors } from './fields.js';
import { FormNotice } from './form-notice.js';
import { OwnPassword } from './own-password.js';
import { PostForm } from './site.js';
import { useTexts } from './texts.js';
import { TextWithTime, Time } from './words.js';

type MessageOf = OwnWebhook['messages'][number];

interface WebhookCardProps {
  own: OwnWebhook;
  isOfInstance: boolean;
  /** What was refused, as the last part of its path. */
  action?: string;
  errors?: FieldErrors;
}

/** A webhook with what its owner can do to it, and its latest messages. */
export function WebhookCard({ own, isOfInstance, action, errors }: WebhookCardProps) {
  const { webhook, url, fingerprint, overlapUntil, messages } = own;
  const t = useTexts();
  const propsOf = (name: string) => ({
    to: `${isOfInstance ? '/admin' : '/users'}/webhooks/${webhook.id}/${name}`,
    passwordFieldId: isOfInstance ? `${name}-${webhook.id}` : undefined,
    errors: action === name ? errors : undefined,
  });
  return (
    <section class="card">
      {url === undefined ? (
        <p class="notice bad">{t.text('webhooks.unreadable')}</p>
      ) : (
        <h3 class="whole-link">{url}</h3>
      )}
      <p class="quiet">
        {t.list(webhook.events.split(','))} · <TextWithTime of="webhooks.addedOn" at={webhook.createdAt} />
      </p>
      <State own={own} />
      {overlapUntil !== undefined && (
        <p>
          <TextWithTime of="webhooks.overlap" at={new Date(overlapUntil)} />
        </p>
      )}
      <Messages messages={messages} />
      {url !== undefined && (
        <>
          {webhook.disabledAt === null ? (
            <WebhookAction {...propsOf('test')} heading="webhooks.test" text="webhooks.testText" />
          ) : (
            <WebhookAction {...propsOf('enable')} heading="webhooks.enable" text="webhooks.enableText" />
          )}
          <WebhookAction
            {...propsOf('secret')}
            heading="webhooks.rotate"
            text="webhooks.rotateText"
            fingerprint={fingerprint}
          />
        </>
      )}
      <WebhookAction
        {...propsOf('delete')}
        heading="webhooks.delete"
        text="webhooks.deleteText"
        isDangerous
      />
    </section>
  );
}

function State({ own: { webhook } }: { own: OwnWebhook }) {
  const { disabledAt, failingSince } = webhook;
  if (disabledAt !== null)
    return (
      <p class="notice bad">
        <TextWithTime of="webhooks.disabledOn" at={disabledAt} />
      </p>
    );
  if (failingSince === null) return null;
  return (
    <p class="notice bad">
      <TextWithTime of="webhooks.failingSince" at={failingSince} />
    </p>
  );
}

interface WebhookActionProps {
  to: string;
  heading: TextKey;
  text: TextKey;
  isDangerous?: boolean;
  /** The fingerprint of the secret to replace. */
  fingerprint?: string;
  /** The id of the field for the password, if it is needed. */
  passwordFieldId?: string;
  errors?: FieldErrors;
}

/** Something to do with a webhook. The form is folded away. */
function WebhookAction({
  to,
  heading,
  text,
  isDangerous,
  fingerprint,
  passwordFieldId,
  errors,
}: WebhookActionProps) {
  const t = useTexts();
  return (
    <details class="delete" open={errors ? true : undefined}>
      <summary>{t.text(heading)}</summary>
      <FormNotice errors={errors} />
      <PostForm to={to}>
        <p>{t.text(text)}</p>
        {fingerprint !== undefined && <input type="hidden" name="from" value={fingerprint} />}
        {passwordFieldId !== undefined && <OwnPassword id={passwordFieldId} errors={errors} />}
        <button class={isDangerous ? 'danger' : 'secondary'}>{t.text(heading)}</button>
      </PostForm>
    </details>
  );
}

function Messages({ messages }: { messages: MessageOf[] }) {
  const t = useTexts();
  if (messages.length === 0) return <p class="quiet">{t.text('webhooks.noMessages')}</p>;
  return (
    <>
      <h4>{t.text('webhooks.messages')}</h4>
      <ul class="rows">
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ul>
    </>
  );
}

function Message({ message }: { message: MessageOf }) {
  const { kind, createdAt, attempts, outcome, error, nextAttemptAt } = message;
  const t = useTexts();
  return (
    <li>
      <div class="what">
        <strong>{kind}</strong>
        <span class="quiet">
          <Time at={createdAt} /> · {t.text(OUTCOMES[outcome ?? 'waiting'])} ·{' '}
          {t.text('webhooks.attempts', { count: attempts })}
          {error !== null && ` · ${error}`}{' '}
          {nextAttemptAt !== null && <TextWithTime of="webhooks.nextAttempt" at={nextAttemptAt} />}
        </span>
      </div>
    </li>
  );
}

const OUTCOMES: Record<NonNullable<MessageOf['outcome']> | 'waiting', TextKey> = {
  delivered: 'webhooks.outcomeDelivered',
  failed: 'webhooks.outcomeFailed',
  dropped: 'webhooks.outcomeFailed', // its webhook has been deleted, so nobody sees it
  waiting: 'webhooks.outcomeWaiting',
};
