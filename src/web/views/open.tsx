import type { Problem } from '../../errors/problem.js';
import type { OpenRequirements } from '../../pushes/push/pushes.service.js';
import { OpenEncrypted } from './end-to-end/open.js';
import { Layout } from './layout.js';
import { OpenForm } from './open-form.js';
import { RemainingViews } from './remaining-views.js';
import { useTexts } from './texts.js';

export interface OpenProps {
  urlToken: string;
  requirements: OpenRequirements;
  /** The base URL of the installation. */
  baseUrl: string;
  /** What was wrong with the passphrase. */
  error?: Problem | string;
}

/** The page before a push is opened. No view has been counted and no content has been read. */
export function Open(props: OpenProps) {
  return props.requirements.clientEncrypted ? <OpenEncrypted {...props} /> : <OpenPush {...props} />;
}

function OpenPush({ urlToken, requirements, error }: OpenProps) {
  const { retrievalStep, passphraseRequired, remaining } = requirements;
  const t = useTexts();
  return (
    <Layout title={t.text('open.title')} script="open" isForRecipient>
      <div class="narrow">
        <h1>{t.text('open.title')}</h1>
        <p class="lede" data-when="first">
          {t.text(passphraseRequired ? 'open.introPassphrase' : 'open.intro')}
        </p>
        <p class="lede" data-when="opened last" hidden>
          {t.text('open.opened')}
        </p>
        <p class="lede" data-when="sent" hidden>
          {t.text('open.sent')}
        </p>
        <div class="card">
          {remaining && <RemainingViews remaining={remaining} />}
          <OpenForm
            urlToken={urlToken}
            passphraseRequired={passphraseRequired}
            isSentAtOnce={!retrievalStep && !passphraseRequired}
            error={error}
          />
        </div>
      </div>
    </Layout>
  );
}
