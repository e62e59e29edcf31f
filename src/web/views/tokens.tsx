import type { ApiToken } from '../../auth/entities/api-token.entity.js';
import { USE_ACCURACY_MS } from '../../auth/entities/api-token.entity.js';
import type { UncountedPage } from '../../http/paging/find-page.js';
import { DeveloperNavigation } from './developer-navigation.js';
import { Input } from './fields.js';
import type { FieldErrors } from './fields.js';
import { FormNotice } from './form-notice.js';
import { Layout } from './layout.js';
import { PagesOfList } from './pages-of-list.js';
import { PostForm, useSite } from './site.js';
import { Sentence, useTexts } from './texts.js';
import { ValueToCopy } from './value-to-copy.js';
import { TextWithTime } from './words.js';

const HEADER = 'Authorization: Bearer …';

interface TokensProps {
  list: UncountedPage<ApiToken>;
  /** A new id for the token that the form creates. */
  formId: string;
  /** A token that has just been created, in plain text. */
  newToken?: string;
  /** Whether the form has created its token before. */
  isRepeated?: boolean;
  errors?: FieldErrors;
}

export function Tokens({
  list: { rows: tokens, page, hasNext },
  formId,
  newToken,
  isRepeated = false,
  errors,
}: TokensProps) {
  const { base } = useSite();
  const t = useTexts();
  return (
    <Layout title={t.text('tokens.title')}>
      <h1>{t.text('tokens.title')}</h1>
      <DeveloperNavigation />
      <p class="lede">
        <Sentence
          of="tokens.intro"
          header={<code>{HEADER}</code>}
          link={(label) => <a href={`${base}/api/docs`}>{label}</a>}
        />
      </p>
      {newToken !== undefined && <ValueToCopy id="new-token" label={t.text('tokens.new')} value={newToken} />}
      {isRepeated && (
        <p class="notice" role="status">
          {t.text('tokens.repeated')}
        </p>
      )}
      <section class="card">
        <h2>{t.text('tokens.create')}</h2>
        <FormNotice errors={errors} />
        <PostForm to="/users/token">
          <input type="hidden" name="id" value={formId} />
          <Input
            name="name"
            label={t.text('tokens.name')}
            placeholder={t.text('tokens.nameExample')}
            autocomplete="off"
            required
            errors={errors}
          />
          <button>{t.text('tokens.submit')}</button>
        </PostForm>
      </section>
      <section>
        <h2>{t.text('tokens.list')}</h2>
        {tokens.length === 0 ? (
          <p class="quiet">{t.text('tokens.none')}</p>
        ) : (
          <ul class="rows">
            {tokens.map((token) => (
              <Row key={token.id} token={token} />
            ))}
          </ul>
        )}
        <PagesOfList page={page} hasNext={hasNext} to={(number) => `/users/token?page=${number}`} />
      </section>
    </Layout>
  );
}

/** A time as accurate as it is known: to the hour, and after some days to the day. */
function LastUse({ at }: { at: Date | null }) {
  const t = useTexts();
  if (!at) return <>{t.text('tokens.neverUsed')}</>;
  const hours = Math.floor(Math.max(0, Date.now() - at.getTime()) / USE_ACCURACY_MS);
  if (hours === 0) return <>{t.text('tokens.usedWithinHour')}</>;
  if (hours < 48) return <>{t.text('tokens.usedHoursAgo', { count: hours })}</>;
  return <>{t.text('tokens.usedDaysAgo', { count: Math.floor(hours / 24) })}</>;
}

function Row({ token: { id, name, prefix, createdAt, lastUsedAt } }: { token: ApiToken }) {
  const t = useTexts();
  return (
    <li>
      <div class="what">
        <strong>{name}</strong>
        <code>{`${prefix}…`}</code>
        <span class="quiet">
          <TextWithTime of="tokens.created" at={createdAt} /> <LastUse at={lastUsedAt} />
        </span>
      </div>
      <PostForm to={`/users/token/${id}/revoke`}>
        <button class="secondary small" aria-label={t.text('tokens.revokeOne', { name })}>
          {t.text('tokens.revoke')}
        </button>
      </PostForm>
    </li>
  );
}
