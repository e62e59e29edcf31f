import { store, storedRecord } from './stored.js';

export interface GeneratorOptions {
  of: string;
  length: number;
  symbols: boolean;
  words: number;
}

type Control = HTMLInputElement | HTMLSelectElement;

/** The options of a generator, remembered in this browser. */
export function generatorOptions(root: HTMLElement): () => GeneratorOptions {
  const name = `sealpush.generator.${root.dataset.generator ?? ''}`;
  const control = (option: string) => root.querySelector<Control>(`[data-option=${option}]`);
  const read = () => ({
    of: control('of')?.value ?? 'characters',
    length: numberIn(control('length')),
    symbols: (control('symbols') as HTMLInputElement).checked,
    words: numberIn(control('words')),
  });
  const showChosen = () => {
    const { of } = read();
    for (const label of root.querySelectorAll<HTMLElement>('[data-of]'))
      label.hidden = label.dataset.of !== of;
  };

  for (const [option, value] of Object.entries(storedRecord(name) ?? {})) fill(control(option), value);
  showChosen();
  root.querySelector('details')?.addEventListener('change', () => {
    store(name, read());
    showChosen();
  });
  return read;
}

/** Reads the stored options, which may be anything. */
function fill(control: Control | null, value: unknown): void {
  if (control instanceof HTMLSelectElement) {
    if ([...control.options].some((option) => option.value === value)) control.value = String(value);
  } else if (control?.type === 'checkbox') {
    control.checked = value === true;
  } else if (control && Number.isInteger(value)) {
    control.value = String(value);
  }
}

/** The typed number, limited to the bounds of the control. */
function numberIn(control: Control | null): number {
  const { min, max, defaultValue, value } = control as HTMLInputElement;
  const number = Math.round(Number(value || defaultValue));
  const bounded = Math.min(Math.max(number || 0, Number(min)), Number(max));
  (control as HTMLInputElement).value = String(bounded);
  return bounded;
}
