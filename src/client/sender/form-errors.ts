import { icon } from '../page/icon.js';
import { markChips, panelSwitchedOff, showPanelOf } from './chips.js';

/** Errors by the name of the field; `form` for the whole form. */
export type FieldErrors = Record<string, string>;

const CONTROLS = 'input:not([type=hidden]), textarea, select';
/** What is wrong with a field. */
const ERROR = '[id$="-error"]';

/** Shows errors beside their fields. Returns those that have no field here. */
export function showErrors(form: HTMLFormElement, errors: FieldErrors): string[] {
  const others: string[] = [];
  for (const [name, message] of Object.entries(errors)) {
    const field = fieldOf(form, name);
    if (field && !field.hidden) showError(field, name, message);
    else others.push(message);
  }
  markChips(form);
  return others;
}

/** Removes the error of a field once its value has been corrected or does not count, and those of a kind once another one is chosen. */
export function clearErrorsOnceCorrected(form: HTMLFormElement, onLast: () => void): void {
  const correct = ({ target }: Event) => {
    if (!(target instanceof HTMLElement)) return;
    const before = form.querySelectorAll(ERROR).length;
    const isKind = target instanceof HTMLInputElement && target.name === 'push[kind]';
    const fields = isKind
      ? FIELDS_OF_KIND.map((name) => fieldOf(form, name))
      : [correctedField(target), panelSwitchedOff(target)];
    for (const field of fields) if (field) clearErrors(field);
    if (before === form.querySelectorAll(ERROR).length) return;
    markChips(form);
    if (!form.querySelector(ERROR)) onLast();
  };
  form.addEventListener('input', correct);
  form.addEventListener('change', correct);
}

const FIELDS_OF_KIND = ['kind', 'payload', 'files'];

/** Nothing of a field is corrected while the browser itself knows that its value is wrong. */
function correctedField(control: HTMLElement): HTMLElement | null {
  const isWrong = control instanceof HTMLInputElement && !control.validity.valid;
  return isWrong ? null : control.closest<HTMLElement>('[data-field]');
}

function fieldOf(form: HTMLFormElement, name: string): HTMLElement | null {
  return form.querySelector(`[data-field="${CSS.escape(name)}"]`);
}

/** Removes the errors in a form, or in a field of it. */
export function clearErrors(root: HTMLElement): void {
  for (const error of root.querySelectorAll(ERROR)) error.remove();
  for (const control of root.querySelectorAll('[aria-describedby$="-error"]')) {
    const ids = (control.getAttribute('aria-describedby') ?? '').split(' ');
    const described = ids.filter((id) => id !== '' && !id.endsWith('-error')).join(' ');
    control.removeAttribute('aria-invalid');
    if (described === '') control.removeAttribute('aria-describedby');
    else control.setAttribute('aria-describedby', described);
  }
}

/** Moves the focus to the first field with an error, even in a section that is closed, or an option that is off. */
export function focusFirstError(form: HTMLFormElement): void {
  const field = form.querySelector(ERROR)?.closest<HTMLElement>('[data-field]');
  if (!field) return;
  showPanelOf(field);
  for (let fold = field.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true;
  controlIn(field)?.focus();
}

function showError(field: HTMLElement, name: string, message: string): void {
  const error = errorElement(message);
  error.id = `${name}-error`;
  showPanelOf(field);
  const control = controlIn(field);
  const hint = field.querySelector('p[id$="-hint"]');
  const box = [...field.children].find((child) => child.contains(control));
  if (hint) hint.before(error);
  else if (box) box.after(error);
  else field.append(error);
  const ids = control?.getAttribute('aria-describedby') ?? '';
  control?.setAttribute('aria-describedby', `${ids} ${error.id}`.trim());
  if (control?.matches(CONTROLS)) control.setAttribute('aria-invalid', 'true');
}

/** As `ErrorTexts` in components/fields.tsx. */
export function errorElement(message: string): HTMLElement {
  const error = document.createElement('p');
  error.className = 'error';
  const words = document.createElement('span');
  words.textContent = message;
  error.append(icon('alert', 'small'), words);
  return error;
}

/** The control with the field's name, otherwise the chosen one of several; for files, the button that chooses them. */
function controlIn(field: HTMLElement): HTMLElement | null {
  const named = `#${CSS.escape(field.dataset.field ?? '')}`;
  return (
    field.querySelector<HTMLElement>(named) ??
    field.querySelector<HTMLElement>(':checked') ??
    field.querySelector<HTMLElement>('[data-choose]') ??
    field.querySelector<HTMLElement>(CONTROLS)
  );
}
