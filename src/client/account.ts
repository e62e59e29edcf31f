import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { showCurrent } from './page/current.js';
import { enhance } from './page/enhance.js';
import { setUpMenus } from './page/menus.js';
import { saveBlob } from './page/save-blob.js';

enhance(document);
showCurrent();
setUpMenus();
setUpKeeping();
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-once]')) sendOnce(form);
for (const part of document.querySelectorAll<HTMLElement>('[data-passkey]'))
  if (canUsePasskeys(part)) enablePasskey(part);
  else sayUnavailable(part);

for (const field of document.querySelectorAll<HTMLInputElement>('input[data-sent-complete]'))
  sendComplete(field);

handOverEmail();

/** Buttons that save and print codes. */
function setUpKeeping(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-save]')) {
    const { save = '', fileName = '' } = button.dataset;
    const codes = document.getElementById(save)?.textContent ?? '';
    button.hidden = false;
    button.addEventListener('click', () => {
      saveBlob(new Blob([`${codes}\n`], { type: 'text/plain' }), fileName);
    });
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      print();
    });
  }
}

/** Sends the form of a field as soon as the code in it has all six digits, and says so beforehand. */
function sendComplete(field: HTMLInputElement): void {
  field.form?.querySelector('[data-sent-by-script]')?.removeAttribute('hidden');
  field.addEventListener('input', () => {
    if (/^\d{6}$/.test(field.value.replaceAll(/\s/g, ''))) field.form?.requestSubmit();
  });
}

/** Has the form to sign in begin with the email address that has just signed up in this tab. */
function handOverEmail(): void {
  const NAME = 'sealpush.email';
  const fieldOf = (form: string) => document.querySelector<HTMLInputElement>(`form[${form}] [name=email]`);
  const [from, to] = [fieldOf('data-hands-over'), fieldOf('data-takes-over')];
  try {
    const email = sessionStorage.getItem(NAME);
    from?.form?.addEventListener('submit', () => {
      sessionStorage.setItem(NAME, from.value);
    });
    if (from) return;
    sessionStorage.removeItem(NAME);
    if (!to || to.value !== '' || email === null) return;
    to.value = email;
    to.form?.querySelector<HTMLInputElement>('[name=password]')?.focus();
  } catch {
    // the browser forbids the storage: the address is typed again
  }
}

/** A second click would replace what the first response shows, which is shown only once. */
function sendOnce(form: HTMLFormElement): void {
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  addEventListener('pageshow', () => (isSent = false));
}

/** Browsers refuse them where the connection is not secure, and the server at another address than its own. */
function canUsePasskeys({ dataset: { origin } }: HTMLElement): boolean {
  return isSecureContext && browserSupportsWebAuthn() && location.origin === origin;
}

/** Nothing is offered; where there would be nothing else, the reason is said. */
function sayUnavailable(part: HTMLElement): void {
  const reason = part.querySelector<HTMLElement>('[data-unavailable]');
  const button = part.querySelector<HTMLButtonElement>('button');
  if (!reason || !button) {
    part.hidden = true;
    document.querySelector('[data-with-passkey]')?.setAttribute('hidden', '');
    return;
  }
  part.dataset.passkey = 'ready';
  reason.hidden = false;
  button.hidden = true;
  if (button.dataset.new === undefined) return;
  for (const other of button.form?.querySelectorAll<HTMLElement>(':scope > *') ?? [])
    if (!other.contains(part)) other.hidden = true;
}

function enablePasskey(part: HTMLElement): void {
  const button = part.querySelector<HTMLButtonElement>('button');
  if (!button) return;
  part.dataset.passkey = 'ready';
  if (button.dataset.new !== undefined) button.type = 'submit'; // for Enter in the field of the name
  button.addEventListener('click', (event) => {
    event.preventDefault();
    void use(part, button);
  });
}

/** Sends the form with what the browser answers. Otherwise it says why not, and the person can go on in another way. */
async function use(part: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const { form } = button;
  const alert = part.querySelector<HTMLElement>('[data-failed]');
  if (!form || !alert) return;
  alert.textContent = '';
  button.disabled = true;
  try {
    const headers = { Accept: 'application/json' };
    const response = await fetch(button.dataset.from ?? '', { headers }).catch(() => undefined);
    if (!response?.ok) throw new NoRequest();
    if (!response.redirected) await fillWithAnswer(response, form, button); // otherwise the response to the form says why
    const code = form.querySelector<HTMLInputElement>('input[name=code]');
    if (code) code.required = false;
    form.requestSubmit();
  } catch (error) {
    alert.textContent = reasonFor(error, alert.dataset) ?? '';
  } finally {
    button.disabled = false;
  }
}

/** The server has not said how to ask for a passkey. */
class NoRequest extends Error {}

function reasonFor(error: unknown, texts: DOMStringMap): string | undefined {
  if (error instanceof NoRequest) return texts.offline;
  const isExisting = error instanceof Error && error.name === 'InvalidStateError';
  return (isExisting && texts.existing) || texts.failed;
}

async function fillWithAnswer(
  response: Response,
  form: HTMLFormElement,
  button: HTMLButtonElement,
): Promise<void> {
  const { options, state } = (await response.json()) as { options: never; state: string };
  const isNew = button.dataset.new !== undefined;
  const given = await (isNew
    ? startRegistration({ optionsJSON: options })
    : startAuthentication({ optionsJSON: options }));
  fill(form, 'passkey', JSON.stringify(given));
  fill(form, 'passkey_state', state);
}

function fill(form: HTMLFormElement, name: string, value: string): void {
  const field = form.querySelector<HTMLInputElement>(`input[name=${name}]`);
  if (field) field.value = value;
}
