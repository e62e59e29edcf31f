/** Errors by the name of the field; `form` for the whole form. */
export type FieldFaults = Record<string, string>;

const CONTROLS = 'input:not([type=hidden]), textarea, select';

/** Shows errors beside their fields. Returns those that have no field here. */
export function showFaults(form: HTMLFormElement, faults: FieldFaults): string[] {
  const others: string[] = [];
  for (const [name, message] of Object.entries(faults)) {
    const field = form.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`);
    if (field && !field.hidden) showFault(field, name, message);
    else others.push(message);
  }
  return others;
}

export function clearFaults(form: HTMLFormElement): void {
  for (const fault of form.querySelectorAll('.fault')) fault.remove();
  for (const control of form.querySelectorAll('[aria-invalid]')) {
    const ids = (control.getAttribute('aria-describedby') ?? '').split(' ');
    const described = ids.filter((id) => id !== '' && !id.endsWith('-fault')).join(' ');
    control.removeAttribute('aria-invalid');
    if (described === '') control.removeAttribute('aria-describedby');
    else control.setAttribute('aria-describedby', described);
  }
}

/** Moves the focus to the first field with an error, even in a section that is closed. */
export function focusFirstFault(form: HTMLFormElement): void {
  const first = form.querySelector<HTMLElement>('[aria-invalid]');
  first?.closest('details')?.setAttribute('open', '');
  first?.focus();
}

function showFault(field: HTMLElement, name: string, message: string): void {
  const fault = document.createElement('p');
  fault.className = 'fault';
  fault.id = `${name}-fault`;
  fault.textContent = message;
  field.append(fault);
  const control =
    field.querySelector(`#${CSS.escape(name)}`) ??
    field.querySelector(':checked') ??
    field.querySelector(CONTROLS);
  const ids = control?.getAttribute('aria-describedby') ?? '';
  control?.setAttribute('aria-describedby', `${ids} ${fault.id}`.trim());
  control?.setAttribute('aria-invalid', 'true');
}
