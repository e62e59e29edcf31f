import { readTexts, text } from '../page/texts.js';
import { showAlert } from './form-alert.js';
import { LOCALE } from './submission.js';

const FORM = 'form#make, form#answer, form#ask';

/**
 * Has the page change its language in place: loading it again would lose what was entered.
 * @param setUp called with the form in the other language, filled in as before
 */
export function changeLanguageInPlace(setUp: (form: HTMLFormElement) => void): void {
  document.addEventListener('submit', (event) => {
    const choice = event.target;
    if (!(choice instanceof HTMLFormElement) || !/\/language(#|$)/.test(choice.action)) return;
    event.preventDefault();
    if (isChanging) return;
    isChanging = true;
    void change(choice, event.submitter, setUp).finally(() => (isChanging = false));
  });
}

let isChanging = false;

async function change(
  choice: HTMLFormElement,
  button: HTMLElement | null,
  setUp: (form: HTMLFormElement) => void,
): Promise<void> {
  try {
    const page = await pageAfter(choice, button);
    const before = document.querySelector<HTMLFormElement>(FORM);
    const form = page.querySelector<HTMLFormElement>(FORM);
    if (!form || !before) throw new Error('the response is not the form');
    if (before.querySelector('[aria-busy]')) return; // it is being sent; its result is in the language that was chosen
    document.documentElement.lang = page.documentElement.lang;
    document.documentElement.dir = page.documentElement.dir;
    document.title = page.title;
    document.body.replaceWith(document.adoptNode(page.body));
    readTexts();
    setUp(form);
    copyEntries(before, form);
    document
      .querySelector('form[action*="/language"]')
      ?.closest('details')
      ?.querySelector('summary')
      ?.focus();
  } catch {
    showAlert(text(navigator.onLine ? 'script.languageFailed' : 'script.offline'));
  }
}

async function pageAfter(choice: HTMLFormElement, button: HTMLElement | null): Promise<Document> {
  const fields = [...new FormData(choice, button)].filter(
    (field): field is [string, string] => !(field[1] instanceof File),
  );
  const response = await fetch(choice.action, { method: 'POST', body: new URLSearchParams(fields) });
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

function copyEntries(from: HTMLFormElement, to: HTMLFormElement): void {
  for (const control of inputsIn(to)) {
    const before = inputsIn(from).find((other) => isSame(control, other));
    if (before) copy(before, control);
  }
  const folds = from.querySelectorAll('details');
  for (const [i, fold] of to.querySelectorAll('details').entries()) fold.open = folds[i]?.open ?? false;
  to.dispatchEvent(new Event('input'));
  to.dispatchEvent(new Event('change'));
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Files first, because to choose some chooses their kind. */
function inputsIn(form: HTMLFormElement): Control[] {
  const all = [...form.querySelectorAll<Control>('input, textarea, select')].filter(
    ({ name, id }) => name || id,
  );
  return [...all.filter(isFiles), ...all.filter((control) => !isFiles(control))];
}

function isFiles({ type }: Control): boolean {
  return type === 'file';
}

function isSame(a: Control, b: Control): boolean {
  const isOneOfSeveral = ['radio', 'checkbox'].includes(a.type);
  return a.name === b.name && a.id === b.id && (!isOneOfSeveral || a.value === b.value);
}

function copy(from: Control, to: Control): void {
  if (from.name === LOCALE) return;
  if (to instanceof HTMLInputElement && from instanceof HTMLInputElement) {
    to.checked = from.checked;
    if (isFiles(to)) {
      to.files = from.files;
      to.dispatchEvent(new Event('change', { bubbles: true }));
      return;
    }
  }
  to.value = from.value;
}
