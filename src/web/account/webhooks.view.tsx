import type { TextKey } from '../../texts/en.js';
import type { WebhookEvent } from '../../features/webhooks/webhook-events.js';
import { WEBHOOK_EVENTS } from '../../features/webhooks/webhook-events.js';
import type { OwnWebhook } from '../../features/webhooks/webhooks.service.js';
import { AdminNavigation, DeveloperNavigation } from '../components/navigation.js';
import type { FieldErrors } from '../components/fields.js';
import { Checkbox, ErrorTexts, Input, FormErrors, OwnPassword } from '../components/fields.js';
import { Layout } from '../components/layout.js';
import { FlashMessage, Form, useTexts } from '../components/site.js';
import { ValueToCopy } from '../components/copy.js';
import { TextWithTime, Time } from '../components/words.js';

const EVENTS: Record<WebhookEvent, TextKey> = {
  'push.created': 'webhooks.created',
  'push.retrieved': 'webhooks.retrieved',
  'push.failed_passphrase': 'webhooks.failedPassphrase',
  'push.expired': 'webhooks.expired',
  'push.deleted': 'webhooks.deleted',
};

export interface WebhooksProps {
  /** Whether they are those of the instance, which administrators manage with their password. */
  isOfInstance: boolean;
  webhooks: OwnWebhook[];
  /** A new id for the webhook that the form adds. */
  formId: string;
  /** A secret that has just been made. */
  secret?: string;
  /** Whether the form has been sent before. */
  isRepeated?: boolean;
  flash?: TextKey;
  /** The form that was refused: `add`, or the id of a webhook and what should be done to it. */
  form?: string;
  errors?: FieldErrors;
  typed?: Partial<Record<string, string>>;
}

export function Webhooks(props: WebhooksProps) {
  const { isOfInstance, webhooks, secret, isRepeated = false, flash, form, errors } = props;
  const t = useTexts();
  return (
    <Layout title={t.text('webhooks.title')}>
      <h1>{t.text('webhooks.title')}</h1>
      {isOfInstance ? <AdminNavigation /> : <DeveloperNavigation />}
      <p class="lede">{t.text(isOfInstance ? 'webhooks.introInstance' : 'webhooks.intro')}</p>
      {secret !== undefined && (
        <ValueToCopy id="new-secret" label={t.text('webhooks.secret')} value={secret} />
      )}
      <FlashMessage text={isRepeated ? 'webhooks.repeated' : flash} />
      <section>
        <h2>{t.text('webhooks.list')}</h2>
        {webhooks.length === 0 && <p class="quiet">{t.text('webhooks.none')}</p>}
        {webhooks.map((own) => (
          <WebhookCard
            key={own.webhook.id}
            own={own}
            isOfInstance={isOfInstance}
            action={form?.startsWith(`${own.webhook.id}/`) ? form.split('/').at(-1) : undefined}
            errors={errors}
          />
        ))}
      </section>
      <AddForm {...props} />
    </Layout>
  );
}

function AddForm({ isOfInstance, formId, form, errors: allErrors, typed }: WebhooksProps) {
  const t = useTexts();
  const isRefused = form === 'add';
  const errors = isRefused ? allErrors : undefined;
  return (
    <section class="card">
      <h2>{t.text('webhooks.add')}</h2>
      <FormErrors errors={errors} />
      <Form to={isOfInstance ? '/admin/webhooks' : '/users/webhooks'}>
        <input type="hidden" name="id" value={formId} />
        <Input
          name="url"
          label={t.text('webhooks.url')}
          hint={t.text('webhooks.urlHint')}
          type="url"
          value={isRefused ? typed?.url : undefined}
          autocomplete="off"
          required
          errors={errors}
        />
        <fieldset class="choices">
          <legend>{t.text('webhooks.events')}</legend>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox
              key={event}
              name={event}
              label={t.text(EVENTS[event])}
              hint={event}
              checked={!isRefused || typed?.[event] !== undefined}
            />
          ))}
          {errors?.events && <ErrorTexts id="events-error" problems={errors.events} />}
        </fieldset>
        {isOfInstance && <OwnPassword id="add" errors={errors} />}
        <button>{t.text('webhooks.add')}</button>
      </Form>
    </section>
  );
}

type MessageOf = OwnWebhook['messages'][number];

interface WebhookCardProps {
  own: OwnWebhook;
  isOfInstance: boolean;
  /** What was refused, as the last part of its path. */
  action?: string;
  errors?: FieldErrors;
}

/** A webhook with what its owner can do to it, and its latest messages. */
function WebhookCard({ own, isOfInstance, action, errors }: WebhookCardProps) {
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
        <p class="alert bad">{t.text('webhooks.unreadable')}</p>
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
      <p class="alert bad">
        <TextWithTime of="webhooks.disabledOn" at={disabledAt} />
      </p>
    );
  if (failingSince === null) return null;
  return (
    <p class="alert bad">
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
      <FormErrors errors={errors} />
      <Form to={to}>
        <p>{t.text(text)}</p>
        {fingerprint !== undefined && <input type="hidden" name="from" value={fingerprint} />}
        {passwordFieldId !== undefined && <OwnPassword id={passwordFieldId} errors={errors} />}
        <button class={isDangerous ? 'danger' : 'secondary'}>{t.text(heading)}</button>
      </Form>
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
