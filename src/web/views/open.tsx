import type { OpenRequirements } from '../../pushes/pushes.service.js';
import { Layout } from './layout.js';
import { OpenForm } from './open-form.js';
import { Sentence, useTexts } from './texts.js';
import { Time } from './words.js';

interface OpenProps {
  urlToken: string;
  how: OpenRequirements;
  /** What was wrong with the passphrase. */
  error?: string;
}

/** The page before a push is opened. No view has been counted and no content has been read. */
export function Open({ urlToken, how, error }: OpenProps) {
  const { retrievalStep, passphraseRequired, remaining } = how;
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
          {remaining && (
            <p class="remaining">
              <Sentence
                of="open.remaining"
                views={remaining.views}
                time={<Time at={remaining.until} hasWeekday />}
              />
            </p>
          )}
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
