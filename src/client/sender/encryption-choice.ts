import { isEndToEndAvailable } from '../end-to-end/load.js';

/** Shows who encrypts the secret, and lets the sender choose, where this browser can do it. */
export function setUpEncryptionChoice(form: HTMLFormElement): void {
  const part = form.querySelector<HTMLElement>('[data-encryption]');
  if (!part) return;
  if (isEndToEndAvailable()) allow(form, part);
  else if (isRequired(part)) showUnavailable();
  const update = () => {
    for (const hint of form.querySelectorAll<HTMLElement>('[data-when-encrypting]'))
      hint.hidden = !isEncrypting(form);
    for (const part of form.querySelectorAll<HTMLElement>('[data-unless-encrypting]'))
      setShown(part, !isEncrypting(form));
  };
  form.addEventListener('change', update);
  update();
}

/** Whether the browser encrypts what the form sends. */
export function isEncrypting(form: HTMLFormElement): boolean {
  if (form.dataset.recipient !== undefined) return true; // an answer to a request
  const part = form.querySelector<HTMLElement>('[data-encryption]');
  if (!part || !isEndToEndAvailable()) return false;
  return isRequired(part) || part.querySelector('[value=browser]:checked') !== null;
}

function allow(form: HTMLFormElement, part: HTMLElement): void {
  part.hidden = false;
  const choice = part.querySelector('fieldset');
  if (choice) choice.disabled = false;
  const submit = form.querySelector<HTMLButtonElement>('[data-submit]');
  if (submit) submit.disabled = false;
}

/** Fields that are not shown are not sent. */
function setShown(part: HTMLElement, isShown: boolean): void {
  part.hidden = !isShown;
  for (const input of part.querySelectorAll('input')) input.disabled = !isShown;
}

function isRequired({ dataset }: HTMLElement): boolean {
  return dataset.encryption === 'required';
}

function showUnavailable(): void {
  const reason = document.querySelector<HTMLElement>('[data-encryption-unavailable]');
  if (reason) reason.hidden = false;
}
