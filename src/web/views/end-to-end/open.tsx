import type { ComponentChildren } from 'preact';
import type { OpenProps } from '../open.js';
import { Layout } from '../layout.js';
import { OpenForm } from '../open-form.js';
import { RemainingViews } from '../remaining-views.js';
import { useTexts } from '../texts.js';
import { EndToEndSign } from './badge.js';
import { OpenByCommands } from './commands.js';

/**
 * The page before an end-to-end encrypted push is opened. A script reads the part of the link that browsers never
 * send, and shows what can be done with it; without a script the page says how to open the push with other programs.
 */
export function OpenEncrypted({ urlToken, requirements, baseUrl, error }: OpenProps) {
  const t = useTexts();
  return (
    <Layout title={t.text('open.title')} script="open" isForRecipient>
      <div class="narrow" data-end-to-end>
        <h1>{t.text('open.title')}</h1>
        <When state="first">{t.text('open.intro')}</When>
        <When state="opened">{t.text('open.opened')}</When>
        <When state="sent">{t.text('open.sent')}</When>
        <When state="incomplete">{t.text('endToEnd.incomplete')}</When>
        <When state="keyless">{t.text('endToEnd.keyless')}</When>
        <When state="unavailable">{t.text('endToEnd.unavailable')}</When>
        <noscript>
          <p class="lede">{t.text('endToEnd.noScript')}</p>
        </noscript>
        <p class="notice" data-when-repaired hidden>
          {t.text('endToEnd.repaired')}
        </p>
        <div class="card" data-when="first opened sent" hidden>
          {requirements.remaining && <RemainingViews remaining={requirements.remaining} />}
          <OpenForm urlToken={urlToken} passphraseRequired isClientEncrypted error={error} />
        </div>
        <EndToEndSign />
        <OpenByCommands jsonUrl={`${baseUrl}/api/v2/pushes/${urlToken}`} />
      </div>
    </Layout>
  );
}

function When({ state, children }: { state: string; children: ComponentChildren }) {
  return (
    <p class="lede" data-when={state} hidden>
      {children}
    </p>
  );
}
