import { drawQrCode } from './draw-qr-code.js';
import type { Fragment } from './end-to-end/fragment.js';
import { loadEndToEnd } from './end-to-end/load.js';

/**
 * Shows the whole link of a push that the browser has encrypted, of which the server knows all but the fragment;
 * without it, why the link cannot be shown. The page of any other push stays as it is.
 */
export async function showLink(fragment: Fragment | undefined): Promise<void> {
  if (!fragment) {
    show('incomplete');
    return;
  }
  const field = document.querySelector<HTMLTextAreaElement>('[data-link=whole] #link');
  if (!field) return;
  const withoutFragment = field.value;
  const whole = `${withoutFragment}#${fragment.text}`;
  field.value = field.defaultValue = whole;
  for (const button of document.querySelectorAll<HTMLElement>('[data-share]')) button.dataset.share = whole;
  for (const mail of document.querySelectorAll<HTMLAnchorElement>('a[href^="mailto:"]')) {
    const body = encodeURIComponent(withoutFragment);
    mail.href = mail.href.replace(body, encodeURIComponent(whole));
  }
  show('whole');
  if (fragment.needsPassphrase) show('with passphrase');
  await showQrCode(whole);
}

function show(state: string): void {
  for (const part of document.querySelectorAll<HTMLElement>(`[data-link="${state}"]`)) part.hidden = false;
}

async function showQrCode(link: string): Promise<void> {
  const svg = document.getElementById('qrcode');
  try {
    const { qrCodeOf } = await loadEndToEnd();
    const code = qrCodeOf(link);
    if (svg && code) drawQrCode(svg, code);
  } catch {
    svg?.remove(); // the link can be copied without it
  }
}
