import type { ApiToken } from '../../auth/api-token.entity.js';
import { FaultNotice, Input } from './fields.js';
import type { Faults } from './fields.js';
import { Layout } from './layout.js';
import { PostForm, useSite } from './site.js';
import { Time } from './words.js';

interface TokensProps {
  tokens: ApiToken[];
  /** A token that has just been created, in plain text. */
  made?: string;
  faults?: Faults;
}

export function Tokens({ tokens, made, faults }: TokensProps) {
  const { base } = useSite();
  return (
    <Layout title="API tokens">
      <h1>API tokens</h1>
      <p class="lede">
        For programs that act for you, sent as <code>Authorization: Bearer …</code>. How to use them is in the{' '}
        <a href={`${base}/api/docs`}>documentation of the API</a>.
      </p>
      {made !== undefined && <NewToken token={made} />}
      <section class="card">
        <h2>Make a token</h2>
        <FaultNotice faults={faults} />
        <PostForm to="/users/token">
          <Input
            name="name"
            label="What is it for?"
            placeholder="deploy script"
            autocomplete="off"
            required
            faults={faults}
          />
          <button>Make the token</button>
        </PostForm>
      </section>
      <section>
        <h2>Your tokens</h2>
        {tokens.length === 0 ? (
          <p class="quiet">None yet.</p>
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
  return (
    <section class="card notice" role="status">
      <div class="copyable">
        <label for="new-token">Your new token. It is shown this once.</label>
        <div class="row">
          <input id="new-token" value={token} readOnly autocomplete="off" />
          <button type="button" hidden data-copy="new-token">
            Copy
          </button>
        </div>
      </div>
    </section>
  );
}

function Row({ token: { id, name, createdAt, lastUsedAt } }: { token: ApiToken }) {
  return (
    <li>
      <div class="what">
        <strong>{name}</strong>
        <span class="quiet">
          Made <Time at={createdAt} />.{' '}
          {lastUsedAt ? (
            <>
              Last used <Time at={lastUsedAt} />, to the hour.
            </>
          ) : (
            'Never used.'
          )}
        </span>
      </div>
      <PostForm to={`/users/token/${id}/revoke`}>
        <button class="secondary small" aria-label={`Revoke ${name}`}>
          Revoke
        </button>
      </PostForm>
    </li>
  );
}
