import type { ComponentProps } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import type { WebhookEvent } from './webhook-events.js';
import { WEBHOOK_EVENTS } from './webhook-events.js';
import type { OwnWebhook } from './webhooks.service.js';
import { AdministrationHeading, ProgramsHeading } from '../../web/components/navigation.js';
import { Banner } from '../../web/components/banner.js';
import { Button } from '../../web/components/button.js';
import {
  CardPart,
  CardStrip,
  PartedCard,
  Section,
  SectionRow,
  SectionRows,
} from '../../web/components/card.js';
import { useForm } from '../../web/components/filled-form.js';
import {
  Checkbox,
  ErrorTexts,
  FieldGroup,
  Input,
  FormErrors,
  ReauthenticationFields,
} from '../../web/components/fields.js';
import { FoldedForm } from '../../web/components/folded-form.js';
import { Layout } from '../../web/components/layout.js';
import { ShortTimeline, TimelineEvent } from '../../web/components/timeline.js';
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
}

export function Webhooks(props: WebhooksProps) {
  const { isOfInstance, webhooks, formId, secret, isRepeated = false, flash } = props;
  const t = useTexts();
  const path = isOfInstance ? '/admin/webhooks' : '/users/webhooks';
  const isNone = webhooks.length === 0;
  return (
    <Layout title={t.text('webhooks.title')} script="account" width="list">
      {isOfInstance ? <AdministrationHeading /> : <ProgramsHeading />}
      {secret !== undefined && (
        <ValueToCopy id="new-secret" label={t.text('webhooks.secret')} value={secret} />
      )}
      <FlashMessage text={isRepeated ? 'webhooks.repeated' : flash} kind={isRepeated ? 'info' : 'done'} />
      <Section
        title="webhooks.new"
        isTitleHidden
        lede={t.text(isOfInstance ? 'webhooks.introInstance' : 'webhooks.intro')}
      >
        <SectionRows>
          <AddRow to={path} formId={formId} isOpen={isNone} />
        </SectionRows>
      </Section>
      {!isNone && (
        <Section title="webhooks.title">
          {webhooks.map((own) => (
            <WebhookCard key={own.webhook.id} own={own} path={`${path}/${own.webhook.id}`} />
          ))}
        </Section>
      )}
    </Layout>
  );
}

/** What the page of an account says about its webhooks. */
export function WebhooksState({ count }: { count: number }) {
  const t = useTexts();
  return <>{count === 0 ? t.text('row.none') : t.text('account.webhooks', { count })}</>;
}

interface AddRowProps {
  to: string;
  formId: string;
  /** Whether there is no webhook yet. */
  isOpen: boolean;
}

function AddRow({ to, formId, isOpen }: AddRowProps) {
  const t = useTexts();
  const { errors, typed } = useForm(to);
  return (
    <SectionRow
      icon="plus"
      title={t.text('webhooks.new')}
      state={isOpen ? t.text('webhooks.none') : undefined}
      open={t.text('row.add')}
      isOpen={isOpen || errors !== undefined}
    >
      <FormErrors of={to} />
      <Form to={to}>
        <input type="hidden" name="id" value={formId} />
        <Input
          name="url"
          label={t.text('webhooks.url')}
          hint={t.text('webhooks.urlHint')}
          type="url"
          value={typed.url}
          autocomplete="off"
          isCode
          required
          focusesOnError
        />
        <FieldGroup label={t.text('webhooks.events')}>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox
              key={event}
              name={event}
              label={t.text(EVENTS[event])}
              hint={<code {...UNTRANSLATED}>{event}</code>}
              checked={!errors || typed[event] !== undefined}
            />
          ))}
          {errors?.events && <ErrorTexts id="events-error" problems={errors.events} />}
        </FieldGroup>
        <ReauthenticationFields id="add" />
        <p class="gap-top">
          <Button look="primary">{t.text('webhooks.add')}</Button>
        </p>
      </Form>
    </SectionRow>
  );
}

type MessageOf = OwnWebhook['messages'][number];

interface WebhookCardProps {
  own: OwnWebhook;
  /** What the paths of its forms begin with. */
  path: string;
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
function WebhookCard({ own, path }: WebhookCardProps) {
  const { webhook, url, fingerprint, overlapUntil, messages } = own;
  const t = useTexts();
  const action = (name: string, texts: ActionTexts, fingerprint?: string) => (
    <FoldedForm to={`${path}/${name}`} {...texts}>
      {fingerprint !== undefined && <input type="hidden" name="from" value={fingerprint} />}
      <ReauthenticationFields id={`${name}-${webhook.id}`} />
    </FoldedForm>
  );
  return (
    <PartedCard>
      <CardPart>
        {url === undefined ? (
          <Banner kind="failure">{t.text('webhooks.unreadable')}</Banner>
        ) : (
          <h3>
            <code {...UNTRANSLATED}>{url}</code>
          </h3>
        )}
        <p class="quiet small">
          <code {...UNTRANSLATED}>{webhook.events.replaceAll(',', ', ')}</code> ·{' '}
          <TextWithTime of="webhooks.addedOn" at={webhook.createdAt} format="short" />
        </p>
        <State own={own} />
        {overlapUntil !== undefined && (
          <p class="quiet small">
            <TextWithTime of="webhooks.overlap" at={new Date(overlapUntil)} format="short" />
          </p>
        )}
      </CardPart>
      <Messages messages={messages} />
      <CardStrip>
        {url !== undefined && (
          <>
            {webhook.disabledAt === null ? action('test', ACTIONS.test) : action('enable', ACTIONS.enable)}
            {action('secret', ACTIONS.rotate, fingerprint)}
          </>
        )}
        {action('delete', ACTIONS.delete)}
      </CardStrip>
    </PartedCard>
  );
}

function State({ own: { webhook } }: { own: OwnWebhook }) {
  const { disabledAt, failingSince } = webhook;
  if (disabledAt !== null)
    return (
      <Banner kind="failure">
        <TextWithTime of="webhooks.disabledOn" at={disabledAt} format="short" />
      </Banner>
    );
  if (failingSince === null) return null;
  return (
    <Banner kind="warning">
      <TextWithTime of="webhooks.failingSince" at={failingSince} format="short" />
    </Banner>
  );
}

function Messages({ messages }: { messages: MessageOf[] }) {
  const t = useTexts();
  if (messages.length === 0)
    return (
      <CardPart>
        <p class="quiet">{t.text('webhooks.noMessages')}</p>
      </CardPart>
    );
  return (
    <CardPart>
      <p class="quiet small">{t.text('webhooks.messages')}</p>
      <ShortTimeline>
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ShortTimeline>
    </CardPart>
  );
}

function Message({ message }: { message: MessageOf }) {
  const { kind, createdAt, attempts, outcome, error, nextAttemptAt } = message;
  const t = useTexts();
  return (
    <TimelineEvent
      {...LOOKS[outcome ?? 'waiting']}
      time={<Time at={createdAt} format="recent" />}
      more={
        <>
          {error !== null && (
            <>
              <Data>{error}</Data> ·{' '}
            </>
          )}
          {t.text('webhooks.attempts', { count: attempts })}
          {nextAttemptAt !== null && (
            <>
              {'. '}
              <TextWithTime of="webhooks.nextAttempt" at={nextAttemptAt} format="short" />
            </>
          )}
        </>
      }
    >
      <code {...UNTRANSLATED}>{kind}</code>: {t.text(OUTCOMES[outcome ?? 'waiting'])}
    </TimelineEvent>
  );
}

type Look = Pick<ComponentProps<typeof TimelineEvent>, 'icon' | 'kind'>;

const LOOKS: Record<NonNullable<MessageOf['outcome']> | 'waiting', Look> = {
  delivered: { icon: 'check', kind: 'good' },
  failed: { icon: 'alert', kind: 'bad' },
  dropped: { icon: 'alert', kind: 'bad' },
  waiting: { icon: 'clock' },
};

const OUTCOMES: Record<NonNullable<MessageOf['outcome']> | 'waiting', TextKey> = {
  delivered: 'webhooks.outcomeDelivered',
  failed: 'webhooks.outcomeFailed',
  dropped: 'webhooks.outcomeFailed', // its webhook has been deleted, so nobody sees it
  waiting: 'webhooks.outcomeWaiting',
};
