import { expireDownloads } from './downloads.js';
import { enhance } from './enhance.js';
import { requestToOpen } from './open-request.js';
import type { Opening } from './opened-links.js';
import { OpenedLink } from './opened-links.js';
import { hideSecrets } from './secrets.js';
import { showPage } from './show-page.js';
import { whenVisible } from './when-visible.js';

enhance(document);
start();
whenVisible(openAtFirstVisit);
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) showAgain();
});

function start(): void {
  const form = findForm();
  if (form) {
    setBusy(form, false); // Firefox keeps a button disabled through a reload
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void open(form, linkOf(form).recall());
    });
  }
  showState();
  expireDownloads(document);
}

function findForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>('form#open');
}

function linkOf({ dataset }: HTMLElement): OpenedLink {
  return new OpenedLink(dataset.link ?? '');
}

/** Only once in this tab: a reload, or going back, must not spend another view. */
function openAtFirstVisit(): void {
  const form = findForm();
  if (form?.dataset.atOnce === undefined) return;
  const link = linkOf(form);
  if (link.recall() === undefined && link.remember('sent')) void open(form, undefined);
  else showState();
}

/** The browser shows the page as it was when the reader left it. */
function showAgain(): void {
  const form = findForm();
  if (form) setBusy(form, false);
  hideSecrets(document);
  showState();
}

/** Shows the texts for what this tab has done with the link so far. */
function showState(): void {
  const place = document.querySelector<HTMLElement>('[data-link]');
  if (!place) return;
  const state = linkOf(place).recall() ?? 'first';
  for (const element of document.querySelectorAll<HTMLElement>('[data-when]'))
    element.hidden = !element.dataset.when?.split(' ').includes(state);
}

async function open(form: HTMLFormElement, before: Opening | undefined): Promise<void> {
  if (isBusy(form)) return;
  const link = linkOf(form);
  setBusy(form, true);
  showError(form, '');
  link.remember('sent');
  const outcome = await requestToOpen(form);
  if (outcome.kind === 'answered') {
    link.remember(outcome.isOpened ? 'opened' : before);
    showPage(outcome.html);
    if (document.querySelector('[data-last-view]')) link.remember('last');
    start();
    return;
  }
  if (outcome.kind === 'refused') link.remember(before);
  setBusy(form, false);
  showState();
  showError(form, outcome.message, outcome.kind === 'refused' && outcome.isPassphraseWrong);
  (passphraseIn(form) ?? buttonOf(form))?.focus();
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

function showError(form: HTMLFormElement, message: string, isPassphraseWrong = false): void {
  const alert = form.querySelector<HTMLElement>('[role=alert]');
  const passphrase = passphraseIn(form);
  if (alert) alert.textContent = message;
  if (alert) passphrase?.setAttribute('aria-describedby', alert.id);
  if (passphrase) passphrase.ariaInvalid = isPassphraseWrong ? 'true' : null;
}

function passphraseIn(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>('input[name=passphrase]');
}

function buttonOf(form: HTMLFormElement): HTMLButtonElement | null {
  return form.querySelector('button');
}
