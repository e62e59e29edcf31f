import { drawQrCode } from './page/draw-qr-code.js';
import type { Fragment } from './end-to-end/fragment.js';
import { loadEndToEnd } from './end-to-end/load.js';
import { enhance } from './page/enhance.js';
import { skipWithoutHistory } from './page/skip-link.js';
import { isLinkTaken, rememberLinkIsTaken, secretsOfPage } from './sender/result-secrets.js';

const PIXELS = 600;

/** A button with `data-save-qr` saves the QR code with that id as an image. */
function setUpQrImageButton(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-save-qr]');
  const code = document.getElementById(button?.dataset.saveQr ?? '');
  if (!button || !code) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    void save(code);
  });
}

async function save(code: HTMLElement): Promise<void> {
  const image = new Image(PIXELS, PIXELS);
  image.src = `data:image/svg+xml,${encodeURIComponent(code.outerHTML)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PIXELS;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, PIXELS, PIXELS);
  const link = document.createElement('a');
  link.download = 'qr-code.png';
  link.href = canvas.toDataURL('image/png');
  link.click();
}

/**
 * Shows the whole link of a push that the browser has encrypted, of which the server knows all but the fragment;
 * without it, why the link cannot be shown. The page of any other push stays as it is.
 */
async function showLink(fragment: Fragment | undefined): Promise<void> {
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

const { deleteKey, fragment, passphrase, shared } = secretsOfPage();
const isOfSender = deleteKey !== undefined || fragment !== undefined || shared !== undefined;
if (deleteKey !== undefined) showDeleteLink(deleteKey);
if (passphrase !== undefined) showPassphrase(passphrase);
if (shared !== undefined) showShared(shared);
if (isOfSender) keepPage();
if (isOfSender) document.querySelector('[data-for-others]')?.remove();
if (fragment !== undefined) askBeforeLinkIsLost();
void showLink(fragment).then(setUpQrImageButton);
document.querySelector('[data-until-ready]')?.removeAttribute('data-until-ready');
setUpShareButton();
enhance(document);

function showPassphrase(passphrase: string): void {
  const row = document.querySelector<HTMLElement>('[data-kept-passphrase]');
  const field = row?.querySelector('input');
  if (!row || !field) return;
  field.value = passphrase;
  row.hidden = false;
}

/** Says what was shared, which the server does not know of what the browser has encrypted. */
function showShared(shared: string): void {
  const fact = document.querySelector<HTMLElement>('[data-shared]');
  if (!fact) return;
  fact.textContent = shared;
  fact.hidden = false;
}

/** Has the browser ask before leaving the only page with the whole link, until it was copied or sent. */
function askBeforeLinkIsLost(): void {
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('.send :is(a, summary, [data-save-qr])'))
      rememberLinkIsTaken();
  });
  document.querySelector('[data-copy=link]')?.addEventListener('copied', rememberLinkIsTaken);
  document.getElementById('link')?.addEventListener('copy', rememberLinkIsTaken);
  addEventListener('beforeunload', (event) => {
    if (!isLinkTaken()) event.preventDefault();
  });
}

/** Shows the link with which a sender without an account may delete the push. */
function showDeleteLink(key: string): void {
  const section = document.querySelector<HTMLElement>('[data-delete-link]');
  const field = section?.querySelector('input');
  if (!section || !field) return;
  field.value = `${section.dataset.deleteLink ?? ''}#${key}`;
  section.hidden = false;
}

/** Has nothing lead to another entry of the history: the tab keeps the secrets with this one. */
function keepPage(): void {
  document.querySelector('form[action$="/language"]')?.remove();
  skipWithoutHistory();
}

/** Shows the button that opens the system's share menu, if the browser has one. */
function setUpShareButton(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-share]');
  if (!button || !('share' in navigator)) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    navigator.share({ url: button.dataset.share }).then(rememberLinkIsTaken, () => undefined); // the user may close the menu
  });
}
