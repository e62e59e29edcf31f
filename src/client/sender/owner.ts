const OWNER = 'input[name="push[account]"]';

/** Says for which account the form is sent. Without one nobody gets mails about the push. */
export function setOwner(form: HTMLFormElement, mark: string): void {
  const field = form.querySelector<HTMLInputElement>(OWNER);
  if (field) field.value = mark;
  const [chip, panel] = [chipOf(form, 'notices'), form.querySelector<HTMLElement>('#panel-notices')];
  if (!chip || !panel) return;
  chip.hidden = panel.hidden = mark === '';
  for (const input of panel.querySelectorAll('input')) input.disabled = panel.hidden;
}

/**
 * Completes a form that was shown to a visitor without an account, for the account that is signed in now. What was
 * entered stays. Resolves to whether the form is for the account that is signed in.
 */
export async function adoptSignedInAccount(form: HTMLFormElement, signal?: AbortSignal): Promise<boolean> {
  const page = await loadPage(form.action, signal);
  const current = page?.querySelector<HTMLFormElement>('form#make');
  const mark = current?.querySelector<HTMLInputElement>(OWNER)?.value;
  if (!page || !current || !mark) return false;
  const before = form.querySelector<HTMLInputElement>(OWNER)?.value;
  replaceMenu(page);
  if (before !== '') return before === mark;

  setOwner(form, mark);
  if (!current.querySelector('[data-sign-in]')) form.querySelector('[data-sign-in]')?.remove();
  addOwnersFields(form, current);
  form.dispatchEvent(new Event('change'));
  return true;
}

async function loadPage(url: string, signal?: AbortSignal): Promise<Document | undefined> {
  try {
    const response = await fetch(url, { signal });
    return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return undefined;
  }
}

/** With its icons, which this page may lack. */
function replaceMenu(page: Document): void {
  const menu = page.querySelector('header');
  if (menu) document.querySelector('header')?.replaceWith(document.adoptNode(menu));
  for (const icon of page.querySelectorAll('[data-icons] > symbol'))
    if (!document.getElementById(icon.id))
      document.querySelector('[data-icons]')?.append(document.adoptNode(icon));
}

/** The options that only the owner of a push can use. */
function addOwnersFields(form: HTMLFormElement, current: HTMLFormElement): void {
  for (const option of ['notices', 'name']) {
    add(form, chipOf(current, option), chipOf(form, 'more'));
    add(form, current.querySelector(`#panel-${option}`), form.querySelector('#panel-more'));
  }
  const more = form.querySelector('#panel-more > *');
  add(form, current.querySelector('#names_sender')?.parentElement, more);
  add(form, current.querySelector('[data-field=note]'), more);
}

/** @param part what has an id, or a control with one; left out if the form has that */
function add(form: HTMLFormElement, part: Element | null | undefined, before: Element | null): void {
  const id = part?.id || part?.querySelector('[id]')?.id;
  if (part && before && id && !form.querySelector(`#${id}`)) before.before(document.adoptNode(part));
}

function chipOf(form: HTMLFormElement, option: string): HTMLElement | null {
  return form.querySelector(`#with-${option}`)?.closest('label') ?? null;
}
