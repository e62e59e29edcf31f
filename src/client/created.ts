import { drawQrCode } from './page/draw-qr-code.js';
import type { Fragment } from '../../packages/client/src/end-to-end/fragment.js';
import { loadEndToEnd } from './end-to-end/load.js';
import { enhance } from './page/enhance.js';
import { text } from './page/texts.js';
import { setUpQrImageButton, setUpShareButton } from './page/send-link.js';
import { skipWithoutHistory } from './page/skip-link.js';
import { isLinkTaken, rememberLinkIsTaken, secretsOfPage } from './sender/result-secrets.js';

/**
 * Shows the whole link of a push that the browser has encrypted, of which the server knows all but the fragment;
 * without it, why the link cannot be shown. The page of any other push stays as it is.
 */
async function showLink(fragment: Fragment | undefined): Promise<void> {
  if (!fragment) {
    show('incomplete');
    return;
  }
  const field = document.querySelector<HTMLInputElement>('[data-link=whole] #link');
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
  if (fragment.needsPassphrase && passphrase === undefined) showPassphraseToSend();
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
if (isLinkTaken()) showTaken();
const isOfSender = deleteKey !== undefined || fragment !== undefined || shared !== undefined;
if (deleteKey !== undefined) showDeletion(deleteKey);
if (passphrase !== undefined) showPassphrase(passphrase);
if (shared !== undefined) showShared(shared);
if (isOfSender) skipWithoutHistory();
if (isOfSender) changeLanguageByReload();
if (isOfSender) document.querySelector('[data-for-others]')?.remove();
if (fragment !== undefined) askBeforeLinkIsLost();
void showLink(fragment).then(setUpQrImageButton);
document.querySelector('[data-until-ready]')?.removeAttribute('data-until-ready');
setUpShareButton(takeLink);
enhance(document);
if (isOfSender) document.querySelector<HTMLElement>('[data-copy=link]')?.focus();

function showPassphrase(passphrase: string): void {
  const row = document.querySelector<HTMLElement>('[data-kept-passphrase]');
  const field = row?.querySelector('input');
  if (!row || !field) return;
  field.value = passphrase;
  row.hidden = false;
  document.querySelector('[data-passphrase-to-send]')?.remove(); // it is said beside the passphrase
}

/** Says that the passphrase must be sent, too, where it is not shown. */
function showPassphraseToSend(): void {
  document.querySelector('[data-passphrase-to-send]')?.removeAttribute('hidden');
}

/** Says what was shared, which the server does not know of what the browser has encrypted. */
function showShared(shared: string): void {
  const fact = document.querySelector<HTMLElement>('[data-shared]');
  if (!fact) return;
  const words = fact.querySelector('span');
  if (!words) return;
  words.translate = false; // the name of the push is in it
  words.textContent = shared;
  fact.hidden = false;
}

/** Whether the page is left for what loses nothing: another language, or because the secret is deleted. */
let isLeaving = false;

/** Has the browser ask before leaving the only page with the whole link, until it was copied or sent. */
function askBeforeLinkIsLost(): void {
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-send] :is(a, summary, [data-save-qr])'))
      takeLink();
  });
  document.querySelector('[data-copy=link]')?.addEventListener('copied', takeLink);
  document.getElementById('link')?.addEventListener('copy', takeLink);
  document.querySelector('[data-delete] form')?.addEventListener('submit', () => (isLeaving = true));
  addEventListener('beforeunload', (event) => {
    if (!isLeaving && !isLinkTaken()) event.preventDefault();
  });
}

function takeLink(): void {
  rememberLinkIsTaken();
  showTaken();
}

/** Asks for the link to be copied no longer. */
function showTaken(): void {
  document.querySelector('[data-until-taken]')?.remove();
  document.querySelector('[data-once-taken]')?.removeAttribute('hidden');
}

/** Shows how a sender without an account may delete the push, now or later. */
function showDeletion(key: string): void {
  const section = document.querySelector<HTMLElement>('[data-delete-link]');
  const field = section?.querySelector('input');
  if (!section || !field) return;
  field.value = `${section.dataset.deleteLink ?? ''}#${key}`;
  section.hidden = false;
  const form = document.querySelector<HTMLElement>('[data-delete]');
  const keyField = form?.querySelector<HTMLInputElement>('input[name=delete_key]');
  if (!form || !keyField) return;
  keyField.value = key;
  form.hidden = false;
}

/** Has the choice of a language lead to no other entry of the history: the tab keeps the secrets with this one. */
function changeLanguageByReload(): void {
  const form = document.querySelector<HTMLFormElement>('footer form');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    const body = new URLSearchParams(
      [...new FormData(form, event.submitter)].map(([name, value]) => [name, value as string]),
    );
    fetch(form.action, { method: 'POST', body, redirect: 'manual' }).then(
      () => {
        isLeaving = true;
        location.reload();
      },
      () => {
        showLanguageFailed(form);
      },
    );
  });
}

function showLanguageFailed(form: HTMLFormElement): void {
  const alert = form.querySelector('[role=alert]') ?? document.createElement('p');
  alert.className = 'error';
  alert.setAttribute('role', 'alert');
  form.prepend(alert);
  alert.textContent = text(navigator.onLine ? 'script.languageFailed' : 'script.offline');
}
