import type { OpenRequirements } from '../../pushes/pushes.service.js';
import { Input } from './fields.js';
import { Layout } from './layout.js';
import { PostForm } from './site.js';

interface OpenProps {
  urlToken: string;
  how: OpenRequirements;
  /** What was wrong with the passphrase. */
  fault?: string;
}

/** The page before a push is opened. No view has been counted and no content has been read. */
export function Open({ urlToken, how: { retrievalStep, passphraseRequired }, fault }: OpenProps) {
  return (
    <Layout title="A secret for you" script="open">
      <div class="narrow">
        <h1>A secret for you</h1>
        <p class="lede">
          {passphraseRequired
            ? 'It is protected. You need the passphrase from whoever sent you this link.'
            : 'Opening it uses up one of its views.'}
        </p>
        <PostForm
          to={`/p/${urlToken}`}
          class="card"
          id="open"
          data-at-once={retrievalStep || passphraseRequired ? undefined : ''}
        >
          {passphraseRequired && (
            <Input
              name="passphrase"
              label="Passphrase"
              type="password"
              autocomplete="off"
              required
              faults={fault === undefined ? undefined : { passphrase: [fault] }}
            />
          )}
          <button class="wide">Open the secret</button>
        </PostForm>
      </div>
    </Layout>
  );
}
