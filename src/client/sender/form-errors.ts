/** Errors by the name of the field; `form` for the whole form. */
export type FieldErrors = Record<string, string>;

const CONTROLS = 'input:not([type=hidden]), textarea, select';

/** Shows errors beside their fields. Returns those that have no field here. */
export function showErrors(form: HTMLFormElement, errors: FieldErrors): string[] {
  const others: string[] = [];
  for (const [name, message] of Object.entries(errors)) {
    const field = form.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`);
    if (field && !field.hidden) showError(field, name, message);
    else others.push(message);
  }
  return others;
}

export function clearErrors(form: HTMLFormElement): void {
  for (const error of form.querySelectorAll('.error')) error.remove();
  for (const control of form.querySelectorAll('[aria-describedby$="-error"]')) {
    const ids = (control.getAttribute('aria-describedby') ?? '').split(' ');
    const described = ids.filter((id) => id !== '' && !id.endsWith('-error')).join(' ');
    control.removeAttribute('aria-invalid');
    if (described === '') control.removeAttribute('aria-describedby');
    else control.setAttribute('aria-describedby', described);
  }
}

/** Moves the focus to the first field with an error, even in a section that is closed. */
export function focusFirstError(form: HTMLFormElement): void {
  const field = form.querySelector('.error')?.closest<HTMLElement>('[data-field]');
  if (!field) return;
  field.closest('details')?.setAttribute('open', '');
  controlIn(field)?.focus();
}

function showError(field: HTMLElement, name: string, message: string): void {
  const error = document.createElement('p');
  error.className = 'error';
  error.id = `${name}-error`;
  error.textContent = message;
  field.append(error);
  const control = controlIn(field);
  const ids = control?.getAttribute('aria-describedby') ?? '';
  control?.setAttribute('aria-describedby', `${ids} ${error.id}`.trim());
  if (control?.matches(CONTROLS)) control.setAttribute('aria-invalid', 'true');
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
