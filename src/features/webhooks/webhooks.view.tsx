import type { ComponentProps } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import type { WebhookEvent } from './webhook-events.js';
import { WEBHOOK_EVENTS } from './webhook-events.js';
import type { OwnWebhook } from './webhooks.service.js';
import { AdministrationHeading, ProgramsHeading } from '../../web/components/navigation.js';
import type { FieldErrors } from '../../web/components/fields.js';
import {
  Checkbox,
  ErrorTexts,
  Input,
  FormErrors,
  ReauthenticationFields,
} from '../../web/components/fields.js';
import { FoldedForm } from '../../web/components/folded-form.js';
import { Layout } from '../../web/components/layout.js';
import { Table } from '../../web/components/table.js';
import { FlashMessage, Form, useTexts, Data, UNTRANSLATED } from '../../web/components/site.js';
import { ValueToCopy } from '../../web/components/copy.js';
import { TextWithTime, Time } from '../../web/components/words.js';

const EVENTS: Record<WebhookEvent, TextKey> = {
  'push.created': 'webhooks.created',
  'push.retrieved': 'webhooks.retrieved',
  'push.failed_passphrase': 'webhooks.failedPassphrase',
  'push.expired': 'webhooks.expired',
  'push.deleted': 'webhooks.deleted',
  'request.answered': 'webhooks.requestAnswered',
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
    <Layout title={t.text('webhooks.title')} script="account">
      {isOfInstance ? <AdministrationHeading /> : <ProgramsHeading />}
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
            refused={form?.startsWith(`${own.webhook.id}/`) ? form.split('/').at(-1) : undefined}
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
      <h2>{t.text('webhooks.new')}</h2>
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
        <ReauthenticationFields id="add" errors={errors} />
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
  refused?: string;
  errors?: FieldErrors;
}

type ActionTexts = Pick<ComponentProps<typeof FoldedForm>, 'heading' | 'text' | 'submit' | 'isDangerous'>;

const ACTIONS = {
  test: { heading: 'webhooks.test', text: 'webhooks.testText', submit: 'webhooks.testSubmit' },
  enable: { heading: 'webhooks.enable', text: 'webhooks.enableText', submit: 'webhooks.enableSubmit' },
  rotate: { heading: 'webhooks.rotate', text: 'webhooks.rotateText', submit: 'webhooks.rotateSubmit' },
  delete: {
    heading: 'webhooks.delete',
    text: 'webhooks.deleteText',
    submit: 'delete.submit',
    isDangerous: true,
  },
} satisfies Record<string, ActionTexts>;

/** A webhook with what its owner can do to it, and its latest messages. */
function WebhookCard({ own, isOfInstance, refused, errors }: WebhookCardProps) {
  const { webhook, url, fingerprint, overlapUntil, messages } = own;
  const t = useTexts();
  const action = (name: string, texts: ActionTexts, fingerprint?: string) => {
    const errorsOf = refused === name ? errors : undefined;
    return (
      <FoldedForm
        to={`${isOfInstance ? '/admin' : '/users'}/webhooks/${webhook.id}/${name}`}
        {...texts}
        errors={errorsOf}
      >
        {fingerprint !== undefined && <input type="hidden" name="from" value={fingerprint} />}
        <ReauthenticationFields id={`${name}-${webhook.id}`} errors={errorsOf} />
      </FoldedForm>
    );
  };
  return (
    <section class="card">
      {url === undefined ? (
        <p class="alert bad">{t.text('webhooks.unreadable')}</p>
      ) : (
        <h3 class="whole-link" {...UNTRANSLATED}>
          {url}
        </h3>
      )}
      <p class="quiet">
        <Data>{t.list(webhook.events.split(','))}</Data> ·{' '}
        <TextWithTime of="webhooks.addedOn" at={webhook.createdAt} />
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
          {webhook.disabledAt === null ? action('test', ACTIONS.test) : action('enable', ACTIONS.enable)}
          {action('secret', ACTIONS.rotate, fingerprint)}
        </>
      )}
      {action('delete', ACTIONS.delete)}
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

const MESSAGE_COLUMNS = ['audit.when', 'webhooks.event', 'webhooks.outcome', 'webhooks.attempted'] as const;

function Messages({ messages }: { messages: MessageOf[] }) {
  const t = useTexts();
  if (messages.length === 0) return <p class="quiet">{t.text('webhooks.noMessages')}</p>;
  return (
    <>
      <h4>{t.text('webhooks.messages')}</h4>
      <Table headings={MESSAGE_COLUMNS} class="events listing">
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </Table>
    </>
  );
}

function Message({ message }: { message: MessageOf }) {
  const { kind, createdAt, attempts, outcome, error, nextAttemptAt } = message;
  const t = useTexts();
  return (
    <tr role="row" class={outcome === 'failed' ? 'worrying' : undefined}>
      <td role="cell" class="when">
        <Time at={createdAt} />
      </td>
      <td role="cell" {...UNTRANSLATED}>
        {kind}
      </td>
      <td role="cell" class="event">
        {t.text(OUTCOMES[outcome ?? 'waiting'])}
        {error !== null && (
          <>
            {' ('}
            <Data>{error}</Data>)
          </>
        )}
      </td>
      <td role="cell">
        {t.text('webhooks.attempts', { count: attempts })}
        {nextAttemptAt !== null && (
          <>
            {'. '}
            <TextWithTime of="webhooks.nextAttempt" at={nextAttemptAt} />
          </>
        )}
      </td>
    </tr>
  );
}

const OUTCOMES: Record<NonNullable<MessageOf['outcome']> | 'waiting', TextKey> = {
  delivered: 'webhooks.outcomeDelivered',
  failed: 'webhooks.outcomeFailed',
  dropped: 'webhooks.outcomeFailed', // its webhook has been deleted, so nobody sees it
  waiting: 'webhooks.outcomeWaiting',
};
