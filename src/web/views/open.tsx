import type { OpenRequirements } from '../../pushes/pushes.service.js';
import { Input } from './fields.js';
import { Layout } from './layout.js';
import { PostForm } from './site.js';
import { useTexts } from './texts.js';

interface OpenProps {
  urlToken: string;
  how: OpenRequirements;
  /** What was wrong with the passphrase. */
  fault?: string;
}

/** The page before a push is opened. No view has been counted and no content has been read. */
export function Open({ urlToken, how: { retrievalStep, passphraseRequired }, fault }: OpenProps) {
  const t = useTexts();
  return (
    <Layout title={t.text('open.title')} script="open">
      <div class="narrow">
        <h1>{t.text('open.title')}</h1>
        <p class="lede">{t.text(passphraseRequired ? 'open.introPassphrase' : 'open.intro')}</p>
        <PostForm
          to={`/p/${urlToken}`}
          class="card"
          id="open"
          data-at-once={retrievalStep || passphraseRequired ? undefined : ''}
        >
          {passphraseRequired && (
            <Input
              name="passphrase"
              label={t.text('open.passphrase')}
              type="password"
              autocomplete="off"
              required
              faults={fault === undefined ? undefined : { passphrase: [fault] }}
            />
          )}
          <button class="wide">{t.text('open.submit')}</button>
        </PostForm>
      </div>
    </Layout>
  );
}
