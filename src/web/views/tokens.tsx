import type { ApiToken } from '../../auth/api-token.entity.js';
import { FaultNotice, Input } from './fields.js';
import type { Faults } from './fields.js';
import { Layout } from './layout.js';
import { PostForm, useSite } from './site.js';
import { Sentence, useTexts } from './texts.js';
import { Dated } from './words.js';

const HEADER = 'Authorization: Bearer …';

interface TokensProps {
  tokens: ApiToken[];
  /** A token that has just been created, in plain text. */
  made?: string;
  faults?: Faults;
}

export function Tokens({ tokens, made, faults }: TokensProps) {
  const { base } = useSite();
  const t = useTexts();
  return (
    <Layout title={t.text('tokens.title')}>
      <h1>{t.text('tokens.title')}</h1>
      <p class="lede">
        <Sentence
          of="tokens.intro"
          header={<code>{HEADER}</code>}
          link={(label) => <a href={`${base}/api/docs`}>{label}</a>}
        />
      </p>
      {made !== undefined && <NewToken token={made} />}
      <section class="card">
        <h2>{t.text('tokens.create')}</h2>
        <FaultNotice faults={faults} />
        <PostForm to="/users/token">
          <Input
            name="name"
            label={t.text('tokens.name')}
            placeholder={t.text('tokens.nameExample')}
            autocomplete="off"
            required
            faults={faults}
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
      </section>
    </Layout>
  );
}

function NewToken({ token }: { token: string }) {
  const t = useTexts();
  return (
    <section class="card notice" role="status">
      <div class="copyable">
        <label for="new-token">{t.text('tokens.new')}</label>
        <div class="row">
          <input id="new-token" value={token} readOnly autocomplete="off" />
          <button type="button" hidden data-copy="new-token">
            {t.text('copy.button')}
          </button>
        </div>
      </div>
    </section>
  );
}

function Row({ token: { id, name, createdAt, lastUsedAt } }: { token: ApiToken }) {
  const t = useTexts();
  return (
    <li>
      <div class="what">
        <strong>{name}</strong>
        <span class="quiet">
          <Dated of="tokens.created" at={createdAt} />{' '}
          {lastUsedAt ? <Dated of="tokens.lastUsed" at={lastUsedAt} /> : t.text('tokens.neverUsed')}
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
