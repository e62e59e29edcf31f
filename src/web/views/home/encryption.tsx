import type { EndToEnd } from '../../../settings/settings.js';
import { useTexts } from '../texts.js';

/** Who encrypts the secret: the browser needs a script for it, which shows this. */
export function Encryption({ mode }: { mode: EndToEnd }) {
  const t = useTexts();
  if (mode === 'off') return null;
  if (mode === 'required') {
    return (
      <p class="encryption" hidden data-encryption={mode}>
        {t.text('endToEnd.factByBrowser')}
      </p>
    );
  }
  return (
    <fieldset class="choices encryption" hidden disabled data-encryption={mode}>
      <legend>{t.text('endToEnd.choice')}</legend>
      <label>
        <input type="radio" name="encryption" value="browser" checked={mode === 'default'} />
        {t.text('endToEnd.byBrowser')}
      </label>
      <label>
        <input type="radio" name="encryption" value="server" checked={mode === 'offered'} />
        {t.text('endToEnd.byServer')}
      </label>
    </fieldset>
  );
}

/** Why the form cannot be used where the browser has to encrypt and is not able to. */
export function EncryptionUnavailable() {
  const t = useTexts();
  return (
    <>
      <noscript>
        <p class="notice bad">{t.text('endToEnd.needsScript')}</p>
      </noscript>
      <p class="notice bad" hidden data-encryption-unavailable>
        {t.text('endToEnd.needsHttps')}
      </p>
    </>
  );
}
