import { setIcon } from '../page/icon.js';

/** The chips of the form, each of which shows the panel of an option: see components/choices.tsx. */
function chipsIn(form: ParentNode): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>('input[aria-controls^=panel-]')];
}

function panelOf(chip: HTMLInputElement): HTMLElement | null {
  return document.getElementById(chip.getAttribute('aria-controls') ?? '');
}

/** The panel of a chip that has just been switched off. */
export function panelSwitchedOff(target: HTMLElement): HTMLElement | null {
  return target instanceof HTMLInputElement && target.type === 'checkbox' && !target.checked
    ? panelOf(target)
    : null;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function controlsIn(panel: ParentNode): Control[] {
  return [...panel.querySelectorAll<Control>('input, textarea, select')];
}

/** The controls of the options that are off. */
export function controlsThatAreOff(form: HTMLFormElement): Control[] {
  return chipsIn(form).flatMap((chip) => (chip.checked ? [] : controlsIn(panelOf(chip) ?? chip)));
}

/** Switches an option on, so that a control in its panel is shown. */
export function showPanelOf(control: HTMLElement): void {
  const panel = control.closest('[data-panel]');
  const chip = chipsIn(document).find((one) => panelOf(one) === panel);
  if (chip) chip.checked = true;
}

/** Switches those options on in which something is set: a browser may have remembered it, or filled it in. */
export function showSetPanels(form: HTMLFormElement): void {
  for (const chip of chipsIn(form)) chip.checked ||= controlsIn(panelOf(chip) ?? chip).some(isSet);
}

/** A box that counts as something while its option is off says what in `data-standard`. */
function isSet(control: Control): boolean {
  if (control.disabled || control.type === 'hidden') return false;
  const { standard } = control.dataset;
  if (control instanceof HTMLInputElement && control.type === 'checkbox')
    return standard !== undefined && control.checked !== (standard !== '');
  return control.name !== '' && control.value !== '';
}

/** The chips that are on and whose panel must be filled in. */
export function chipsToFillIn(form: HTMLFormElement): HTMLInputElement[] {
  return chipsIn(form).filter((chip) => chip.checked && panelOf(chip)?.querySelector('[data-filled-in]'));
}

/** Has each chip say whether something in its panel is wrong. */
export function markChips(form: HTMLFormElement): void {
  for (const chip of chipsIn(form)) {
    const isWrong = (panelOf(chip)?.querySelector('[id$="-error"]') ?? null) !== null;
    if (isWrong) chip.setAttribute('aria-invalid', 'true');
    else chip.removeAttribute('aria-invalid');
    const icon = chip.closest('label')?.querySelectorAll('svg')[1];
    if (icon) setIcon(icon, isWrong ? 'alert' : chip.disabled ? 'lock' : 'check');
  }
}

/** The required fields of options that are on, and empty. */
export function emptyFields(form: HTMLFormElement): string[] {
  return chipsToFillIn(form)
    .flatMap((chip) => [...(panelOf(chip)?.querySelectorAll<HTMLInputElement>('[data-filled-in]') ?? [])])
    .filter(({ value }) => value === '')
    .map(({ id }) => id);
}

/** @param onPointer called with the name of an option when it is switched on by a click: not by a key */
export function watchChips(form: HTMLFormElement, onPointer: (option: string) => void): void {
  form.addEventListener('click', ({ target, detail }) => {
    const chip = chipsIn(form).find((one) => one === target);
    const isPointer = detail > 0;
    if (chip?.checked && isPointer) onPointer(chip.id.replace(/^with-/, ''));
  });
}
