import type { TextKey } from '../../texts/en.js';
import type { WebhookEvent } from '../../webhooks/webhook-events.js';
import { WEBHOOK_EVENTS } from '../../webhooks/webhook-events.js';
import type { OwnWebhook } from '../../webhooks/webhooks.service.js';
import { AdminNavigation } from './admin/admin-navigation.js';
import { DeveloperNavigation } from './developer-navigation.js';
import { Checkbox, ErrorTexts, Input } from './fields.js';
import type { FieldErrors } from './fields.js';
import { FormNotice } from './form-notice.js';
import { Layout } from './layout.js';
import { OwnPassword } from './own-password.js';
import { PostForm } from './site.js';
import { useTexts } from './texts.js';
import { ValueToCopy } from './value-to-copy.js';
import { WebhookCard } from './webhook-card.js';

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
  notice?: TextKey;
  /** The form that was refused: `add`, or the id of a webhook and what should be done to it. */
  form?: string;
  errors?: FieldErrors;
  typed?: Partial<Record<string, string>>;
}

export function Webhooks(props: WebhooksProps) {
  const { isOfInstance, webhooks, secret, isRepeated = false, notice, form, errors } = props;
  const t = useTexts();
  return (
    <Layout title={t.text('webhooks.title')}>
      <h1>{t.text('webhooks.title')}</h1>
      {isOfInstance ? <AdminNavigation /> : <DeveloperNavigation />}
      <p class="lede">{t.text(isOfInstance ? 'webhooks.introInstance' : 'webhooks.intro')}</p>
      {secret !== undefined && (
        <ValueToCopy id="new-secret" label={t.text('webhooks.secret')} value={secret} />
      )}
      {(isRepeated || notice !== undefined) && (
        <p class="notice" role="status">
          {t.text(notice ?? 'webhooks.repeated')}
        </p>
      )}
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
      <FormNotice errors={errors} />
      <PostForm to={isOfInstance ? '/admin/webhooks' : '/users/webhooks'}>
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
      </PostForm>
    </section>
  );
}
