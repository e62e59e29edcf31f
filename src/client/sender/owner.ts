import { listFiles } from './files.js';

const OWNER = 'input[name="push[account]"]';

/** Says for which account the form is sent. Without one nobody gets mails about the push. */
export function setOwner(form: HTMLFormElement, mark: string): void {
  const field = form.querySelector<HTMLInputElement>(OWNER);
  if (field) field.value = mark;
  const notices = form.querySelector<HTMLFieldSetElement>('[data-field=notify_on]');
  if (!notices) return;
  notices.hidden = mark === '';
  notices.disabled = notices.hidden;
}

/**
 * Completes a form that was shown to a visitor without an account, for the account that is signed in now. What was
 * entered stays. Resolves to whether the form is for the account that is signed in.
 */
export async function adoptSignedInAccount(form: HTMLFormElement): Promise<boolean> {
  const page = await loadPage(form.action);
  const current = page?.querySelector<HTMLFormElement>('form#make');
  const mark = current?.querySelector<HTMLInputElement>(OWNER)?.value;
  if (!page || !current || !mark) return false;
  const before = form.querySelector<HTMLInputElement>(OWNER)?.value;
  replaceMenu(page);
  if (before !== '') return before === mark;

  setOwner(form, mark);
  replaceKinds(form, current);
  replaceFiles(form, current);
  replaceOwnersFields(form, current);
  form.dispatchEvent(new Event('change'));
  return true;
}

async function loadPage(url: string): Promise<Document | undefined> {
  try {
    const response = await fetch(url);
    return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return undefined;
  }
}

function replaceMenu(page: Document): void {
  const menu = page.querySelector('header');
  if (menu) document.querySelector('header')?.replaceWith(document.adoptNode(menu));
}

/** Which kinds may be chosen; the chosen one stays. */
function replaceKinds(form: HTMLFormElement, current: HTMLFormElement): void {
  const kind = '[name="push[kind]"]';
  for (const radio of form.querySelectorAll<HTMLInputElement>(kind)) {
    const other = current.querySelector<HTMLInputElement>(`${kind}[value="${CSS.escape(radio.value)}"]`);
    radio.disabled = other?.disabled ?? true;
  }
  if (!current.querySelector('[data-sign-in]')) form.querySelector('[data-sign-in]')?.remove();
}

function replaceFiles(form: HTMLFormElement, current: HTMLFormElement): void {
  const files = current.querySelector('[data-field=files]');
  if (!files || form.querySelector('[data-field=files]')) return;
  form.querySelector('button.wide')?.before(document.adoptNode(files));
  listFiles(form);
}

function replaceOwnersFields(form: HTMLFormElement, current: HTMLFormElement): void {
  const fields = current.querySelector('details.for-you');
  if (fields && !form.querySelector('details.for-you'))
    form.querySelector('button.wide')?.before(document.adoptNode(fields));
}
