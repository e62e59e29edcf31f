import { expireDownloads } from './recipient/downloads.js';
import { EncryptedLink, isSwapped, keepKey, reloadForAnotherLink } from './recipient/encrypted-link.js';
import { showAnswer, showDecrypted } from './recipient/show-decrypted.js';
import { enhance } from './page/enhance.js';
import { icon } from './page/icon.js';
import type { OpenResult } from './recipient/open-request.js';
import {
  isEncryptedAsPromised,
  requestToOpen,
  showPage,
  whenPersonActs,
  whenVisible,
} from './recipient/open-request.js';
import type { Opening } from './recipient/opened-links.js';
import { OpenedLink } from './recipient/opened-links.js';
import { hideSecrets } from './page/secrets.js';
import { text } from './page/texts.js';

/** The link of an end-to-end encrypted push; undefined for pushes that the server can decrypt. */
const encryptedLink = EncryptedLink.ofPage();

reloadForAnotherLink();
if (isSwapped()) showSwapped();
if (location.hash !== '') keepKey();
enhance(document);
start();
openByItself();
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) showAgain();
});

function start(): void {
  const deleted = document.querySelector<HTMLElement>('[data-deleted]');
  if (deleted) linkOf(deleted).remember('deleted');
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-ask-code]')) setBusy(form, false);
  const form = findForm();
  if (form) {
    setBusy(form, false); // Firefox keeps a button disabled through a reload
    if (encryptedLink?.fragment?.needsPassphrase) askForPassphrase(form);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void open(form, linkOf(form).recall());
    });
  }
  showState();
  showWhoHasKey();
  if (encryptedLink?.fragment) showLinkForBrowser(encryptedLink.fragment.text);
  if (!encryptedLink && !document.querySelector('[data-encrypted]')) expireDownloads(document);
}

/** The whole link, which only this page knows, to be opened in a browser. */
function showLinkForBrowser(fragment: string): void {
  const place = document.querySelector<HTMLElement>('[data-link-for-browser]');
  const field = place?.querySelector('input');
  if (!place || !field) return;
  field.value = `${field.defaultValue}#${fragment}`;
  place.hidden = false;
}

/** Refuses what the server shows in place of what the link stands for, before anything is typed, sent or opened. */
function showSwapped(): void {
  document.querySelector('[data-openable]')?.remove();
  const alert = document.querySelector<HTMLElement>('[data-swapped]');
  if (alert) alert.hidden = false;
}

function findForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>('form#open');
}

function linkOf({ dataset }: HTMLElement): OpenedLink {
  return new OpenedLink(dataset.link ?? '');
}

/** What uses a view waits for a sign that a person sees the page. */
function openByItself(): void {
  const form = findForm();
  if (form?.dataset.sentByItself === undefined) return;
  const wait = form.dataset.sentByItself === 'when visible' ? whenVisible : whenPersonActs;
  wait(() => {
    openAtFirstVisit(form);
  });
}

/** Opens the push only once in this tab: a reload, or going back, must not use another view. */
function openAtFirstVisit(form: HTMLFormElement): void {
  const link = linkOf(form);
  if (link.recall() === undefined && link.remember('sent')) void open(form, undefined);
  else showState();
}

/** Updates the page when the browser shows it again as it was when the reader left it. */
function showAgain(): void {
  const form = findForm();
  if (form) setBusy(form, false);
  hideSecrets(document);
  showState();
}

/**
 * Shows the texts for what this tab has done with the link so far.
 * @param isLossTold whether the page says in another place that an answer has not arrived
 */
function showState(isLossTold = false): void {
  const place = document.querySelector<HTMLElement>('[data-link]');
  if (!place) return;
  const before = linkOf(place).recall();
  const state = encryptedLink?.state(before) ?? before ?? 'first';
  for (const element of document.querySelectorAll<HTMLElement>('[data-when]'))
    element.hidden =
      !element.dataset.when?.split(' ').includes(state) || (isLossTold && element.dataset.when === 'sent');
}

/** Of a key that was sent to the server nothing says that the server does not have it. */
function showWhoHasKey(): void {
  if (encryptedLink?.isRepaired !== true) return;
  const alert = document.querySelector<HTMLElement>('[data-when-repaired]');
  if (alert) alert.hidden = encryptedLink.fragment === undefined;
  for (const sign of document.querySelectorAll<HTMLElement>('[data-unless-repaired]')) sign.hidden = true;
}

/** Shows the passphrase field. Only the key in the link says whether a passphrase is needed. */
function askForPassphrase(form: HTMLFormElement): void {
  const field = passphraseIn(form);
  const box = field?.closest<HTMLElement>('[data-passphrase]');
  if (!field || !box) return;
  box.hidden = false;
  field.required = true;
  for (const words of document.querySelectorAll<HTMLElement>('[data-with-passphrase]')) words.hidden = false;
  for (const words of document.querySelectorAll<HTMLElement>('[data-without-passphrase]'))
    words.hidden = true;
}

async function open(form: HTMLFormElement, before: Opening | undefined): Promise<void> {
  if (isBusy(form)) return;
  const link = linkOf(form);
  setBusy(form, true);
  showError(form, '');
  const passphrase = passphraseIn(form)?.value ?? '';
  const outcome = await request(form, passphrase, link);
  if (outcome.kind === 'answered') {
    link.remember(outcome.isOpened ? 'opened' : before);
    if (encryptedLink && !isEncryptedAsPromised(outcome)) {
      showSwapped();
      return;
    }
    showPage(outcome.html);
    if (document.querySelector('[data-last-view]')) link.remember('last');
    start();
    await (encryptedLink ? showDecrypted(encryptedLink, passphrase) : showAnswer());
    return;
  }
  if (outcome.kind === 'refused') link.remember(before);
  setBusy(form, false);
  showState(outcome.kind === 'lost');
  const wrong = outcome.kind === 'refused' ? outcome.wrongField : undefined;
  showError(form, outcome.message, wrong);
  const field = fieldIn(form, wrong ?? 'passphrase');
  if (!field?.checkVisibility()) return buttonOf(form)?.focus();
  field.focus();
  if (wrong) field.select(); // what is typed now replaces what was wrong
}

async function request(form: HTMLFormElement, passphrase: string, link: OpenedLink): Promise<OpenResult> {
  if (!encryptedLink) {
    link.remember('sent');
    return requestToOpen(form);
  }
  showStatus(form, text('script.endToEndChecking'));
  try {
    const proof = await encryptedLink.proof(passphrase);
    link.remember('sent');
    return withKeyBlamed(await requestToOpen(form, proof));
  } catch {
    return { kind: 'refused', message: text('script.endToEndNotReady') };
  } finally {
    showStatus(form, '');
  }
}

/** If no passphrase was asked for, it is the key in the link that was wrong. */
function withKeyBlamed(outcome: OpenResult): OpenResult {
  const isKeyWrong =
    outcome.kind === 'refused' &&
    outcome.wrongField === 'passphrase' &&
    !encryptedLink?.fragment?.needsPassphrase;
  return isKeyWrong ? { kind: 'refused', message: text('script.endToEndWrongKey') } : outcome;
}

function isBusy(form: HTMLFormElement): boolean {
  return buttonOf(form)?.disabled === true;
}

function setBusy(form: HTMLFormElement, busy: boolean): void {
  const button = buttonOf(form);
  if (!button) return;
  button.disabled = busy;
  button.ariaBusy = busy ? 'true' : null;
}

function showStatus(form: HTMLFormElement, message: string): void {
  const status = form.querySelector('[role=status]');
  if (status) status.textContent = message;
}

function showError(form: HTMLFormElement, message: string, wrong?: string): void {
  const alert = form.querySelector<HTMLElement>('[role=alert]');
  if (!alert) return;
  const place = wrong === undefined ? undefined : fieldIn(form, wrong)?.closest('[data-field]');
  const hint = place?.querySelector(':scope > [id$="-hint"]');
  if (hint) hint.before(alert);
  else (place ?? form).append(alert);
  fillAlert(alert, message);
  for (const name of ['code', 'passphrase']) {
    const field = fieldIn(form, name);
    field?.setAttribute('aria-describedby', `${alert.id} ${name}-hint`);
    if (field) field.ariaInvalid = name === wrong ? 'true' : null;
  }
}

function fillAlert(alert: HTMLElement, message: string): void {
  const words = document.createElement('span');
  words.textContent = message;
  alert.replaceChildren(...(message === '' ? [] : [icon('alert', 'small'), words]));
}

function passphraseIn(form: HTMLFormElement): HTMLInputElement | null {
  return fieldIn(form, 'passphrase');
}

function fieldIn(form: HTMLFormElement, name: string): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`input[name=${name}]`);
}

function buttonOf(form: HTMLFormElement): HTMLButtonElement | null {
  return form.querySelector<HTMLButtonElement>('button:not([type=button])');
}
