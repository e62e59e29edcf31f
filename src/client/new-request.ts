import { answerFragmentOf } from '../../packages/client/src/end-to-end/answer-link.js';
import { reasonOf } from '../../packages/client/src/end-to-end/end-to-end-error.js';
import { isEndToEndAvailable, loadRecipientEncryption } from './end-to-end/load.js';
import { enhance } from './page/enhance.js';
import { text } from './page/texts.js';
import type { KeptKey } from './requests/kept-keys.js';
import { keepKey } from './requests/kept-keys.js';
import { expectLinkFor, takeExpectedFragment } from './requests/expected-link.js';
import { saveKey } from './requests/save-key.js';
import { clearAlert, showAlert } from './sender/form-alert.js';
import { clearErrors, clearErrorsOnceCorrected, focusFirstError, showErrors } from './sender/form-errors.js';
import { changeLanguageInPlace } from './sender/language.js';
import { recipientError } from '../shared/age-recipient.js';
import { store, stored } from './page/stored.js';

const OWN_RECIPIENT = 'sealpush.recipient';

enhance(document);
takeExpectedFragment(); // of a form that was rejected
const form = document.querySelector<HTMLFormElement>('form#ask');
if (form) {
  setUp(form);
  changeLanguageInPlace((translated) => {
    enhance(document);
    setUp(translated);
  });
}

function setUp(form: HTMLFormElement): void {
  setUpEncryption(form);
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
}

/** Lets answers be encrypted to a key that is made here, or to one that is pasted. */
function setUpEncryption(form: HTMLFormElement): void {
  const part = form.querySelector<HTMLDetailsElement>('[data-encryption]');
  const field = form.querySelector<HTMLInputElement>('input[name=recipient]');
  if (!part || !field || !isEndToEndAvailable()) return;
  part.hidden = false;
  part.querySelector('fieldset')?.removeAttribute('disabled');
  const button = form.querySelector<HTMLButtonElement>('button[data-until-script]');
  if (button) button.disabled = false;
  const own = stored(OWN_RECIPIENT);
  if (field.value === '' && typeof own === 'string') field.value = own;
  const update = () => {
    showChoice(part);
  };
  form.addEventListener('change', update);
  update();
  clearErrorsOnceCorrected(form, clearAlert);

  let isBusy = false;
  const setBusy = (busy: boolean) => {
    isBusy = busy;
    form.querySelector('[data-submit]')?.toggleAttribute('aria-busy', busy);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isBusy) return; // a second click would make a second key and request
    setBusy(true);
    void send(form, part, field).then((isSent) => {
      if (!isSent) setBusy(false);
    });
  });
  addEventListener('pageshow', () => {
    setBusy(false); // the next request has a key of its own
  });
}

/** Returns whether it was sent. */
async function send(form: HTMLFormElement, part: HTMLElement, field: HTMLInputElement): Promise<boolean> {
  clearErrors(form);
  clearAlert();
  const recipient = await recipientFor(form, part, field.value.trim());
  if (recipient === undefined) return false;
  field.value = recipient;
  if (recipient !== '') expectLinkFor(await answerFragmentOf(recipient));
  form.submit();
  return true;
}

/** What answers are encrypted to; empty if the server encrypts them, undefined if nothing may be sent yet. */
async function recipientFor(
  form: HTMLFormElement,
  part: HTMLElement,
  pasted: string,
): Promise<string | undefined> {
  switch (choiceIn(part)) {
    case 'browser':
      return (await makeKey(part))?.recipient;
    case 'own':
      return (await isUsable(pasted, form)) ? pasted : undefined;
    default:
      return '';
  }
}

/** A recipient can be well-formed and yet no key: then all answers would fail. */
async function isUsable(recipient: string, form: HTMLFormElement): Promise<boolean> {
  if (recipientError(recipient)) {
    showUnusable(form);
    return false;
  }
  try {
    const { encryptPayloadFor } = await loadRecipientEncryption();
    await encryptPayloadFor({ kind: 'text', text: 'test', files: [] }, recipient);
    store(OWN_RECIPIENT, recipient);
    return true;
  } catch (error) {
    if (reasonOf(error) === 'unavailable') showAlert(text('script.endToEndUnavailable'));
    else showUnusable(form);
    return false;
  }
}

function showUnusable(form: HTMLFormElement): void {
  showErrors(form, { recipient: text('script.recipientUnusable') });
  showAlert(text('script.invalid'));
  focusFirstError(form);
}

/** A new key that this browser has kept, or the person has saved; undefined otherwise. */
async function makeKey(part: HTMLElement): Promise<KeptKey | undefined> {
  try {
    const { newIdentity } = await loadRecipientEncryption();
    const identity = await newIdentity();
    const fragment = await answerFragmentOf(identity.recipient);
    const key = { ...identity, fragment, createdAt: new Date() };
    return (await keepKey(key)) || (await isSaved(part, key)) ? key : undefined;
  } catch {
    showAlert(text('script.endToEndUnavailable'));
    return undefined;
  }
}

/** Where the browser forbids to keep the key, the request is created only after it was saved as a file. */
function isSaved(part: HTMLElement, key: KeptKey): Promise<boolean> {
  const box = part.querySelector<HTMLElement>('[data-key-not-kept]');
  const button = box?.querySelector<HTMLButtonElement>('[data-save-key]');
  const saved = box?.querySelector<HTMLButtonElement>('[data-key-saved]');
  if (!box || !button || !saved) return Promise.resolve(false);
  part.setAttribute('open', '');
  box.hidden = false;
  button.focus();
  return new Promise((resolve) => {
    button.onclick = () => void saveKey(key).then(() => (saved.hidden = false));
    saved.onclick = () => {
      resolve(true);
    };
  });
}

function choiceIn(part: HTMLElement): string {
  return part.querySelector<HTMLInputElement>('input[name=encryption]:checked')?.value ?? 'server';
}

function showChoice(part: HTMLElement): void {
  const chosen = choiceIn(part);
  for (const words of part.querySelectorAll<HTMLElement>('[data-chosen-key]'))
    words.hidden = words.dataset.chosenKey !== chosen;
  const own = part.querySelector<HTMLElement>('[data-own-key]');
  if (own) own.hidden = chosen !== 'own';
}
