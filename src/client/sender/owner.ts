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

function replaceMenu(page: Document): void {
  const menu = page.querySelector('header');
  if (menu) document.querySelector('header')?.replaceWith(document.adoptNode(menu));
}

/** The fields that only the owner of a push can use. */
function addOwnersFields(form: HTMLFormElement, current: HTMLFormElement): void {
  const fields = current.querySelector('[data-owners]');
  if (fields && !form.querySelector('[data-owners]'))
    form.querySelector('[data-field=expire_after_first_view]')?.before(document.adoptNode(fields));
}
