import { enhance } from './page/enhance.js';
import { openTarget } from './page/fold.js';
import { setUpQrImageButton, setUpShareButton } from './page/send-link.js';
import { takeExpectedFragment } from './requests/expected-link.js';
import { keptKey } from './requests/kept-keys.js';
import { saveKey } from './requests/save-key.js';

enhance(document);
setUpShareButton();
setUpQrImageButton();
openTarget();
if (isSwapped()) showSwapped();
else void showKey();
document.querySelector<HTMLElement>('[data-link=new] [data-copy=link]')?.focus();

/** Whether the server has made the link for another recipient than the one that it was sent, or for none. */
function isSwapped(): boolean {
  const expected = takeExpectedFragment();
  const shown = document.querySelector<HTMLElement>('[data-key-of]')?.dataset.keyOf;
  return expected !== undefined && expected !== shown;
}

function showSwapped(): void {
  document.querySelector('[data-link]')?.remove();
  const alert = document.querySelector<HTMLElement>('[data-swapped]');
  if (alert) alert.hidden = false;
}

/** Says whether this browser has the key of the request, and offers it as a file. */
async function showKey(): Promise<void> {
  const place = document.querySelector<HTMLElement>('[data-key-of]');
  if (!place) return;
  const key = await keptKey(place.dataset.keyOf ?? '');
  const part = place.querySelector<HTMLElement>(key ? '[data-key=kept]' : '[data-key=elsewhere]');
  if (part) part.hidden = false;
  if (!key) return;
  place.querySelector('[data-save-key]')?.addEventListener('click', () => void saveKey(key));
}
