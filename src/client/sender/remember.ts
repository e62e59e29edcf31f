import { chipsToFillIn, controlsThatAreOff, showSetPanels } from './chips.js';
import { store, storedRecord } from '../page/stored.js';

const NAME = 'sealpush.settings';

/**
 * The options, which are remembered, by the parameter of the query that goes before. No query proposes who
 * encrypts, or that the sender is named: it could be somebody else's. A secret, name or note is never remembered.
 */
const OPTIONS: { inQuery?: string; fields: string[] }[] = [
  { inQuery: 'kind', fields: ['push[kind]'] },
  { inQuery: 'views', fields: ['push[expire_after_views]', 'push[custom_views]'] },
  { inQuery: 'duration', fields: ['push[expire_after_duration]', 'push[expire_after_days]'] },
  { inQuery: 'click', fields: ['push[retrieval_step]'] },
  { inQuery: 'deletable', fields: ['push[deletable_by_viewer]'] },
  { fields: ['push[expire_after_first_view]'] },
  { fields: ['push[allowed_networks]'] },
  { fields: ['encryption'] },
  { fields: ['push[hides_contents]'] },
  { fields: ['push[names_sender]'] },
];

/** Remembers the options of the form in this browser, if the visitor wants that. */
export function rememberSettings(form: HTMLFormElement): void {
  const place = form.querySelector<HTMLElement>('[data-remember]');
  const box = place?.querySelector('input');
  if (!place || !box) return;
  place.hidden = false;

  const remembered = storedRecord(NAME);
  box.checked = remembered !== undefined;
  const isEmptyForm = form.dataset.returned === undefined; // otherwise it shows what was sent
  if (remembered && isEmptyForm) {
    fillIn(form, remembered);
    showSetPanels(form);
  }

  form.addEventListener('change', ({ target }) => {
    if (target === form) return; // nobody has chosen anything
    if (box.checked || target === box) store(NAME, box.checked ? termsIn(form) : undefined);
  });
}

/**
 * Removes all but the options from the form. What protected the last secret stays on, to be filled in anew: the next one
 * must not go without it unnoticed.
 */
export function emptyForm(form: HTMLFormElement): void {
  const terms = termsIn(form);
  const toFillIn = chipsToFillIn(form);
  const box = form.querySelector<HTMLInputElement>('[data-remember] input');
  const isRemembering = box?.checked === true;
  form.reset();
  if (box) box.checked = isRemembering;
  for (const [name, value] of Object.entries(terms))
    for (const input of inputs(form, name)) fill(input, value);
  showSetPanels(form);
  for (const chip of toFillIn) chip.checked = true;
  form.dispatchEvent(new Event('change'));
}

function fillIn(form: HTMLFormElement, remembered: Record<string, unknown>): void {
  const query = new URLSearchParams(location.search);
  const wanted = OPTIONS.filter(({ inQuery }) => inQuery === undefined || !query.has(inQuery)).flatMap(
    ({ fields }) => fields,
  );
  for (const name of wanted) {
    for (const input of inputs(form, name)) fill(input, remembered[name]);
  }
}

type Control = HTMLInputElement | HTMLSelectElement;

/** Reads the stored options, which may be anything: this installation may have other bounds now. */
function fill(control: Control, value: unknown): void {
  if (control instanceof HTMLSelectElement) {
    if ([...control.options].some((option) => option.value === value)) control.value = String(value);
  } else if (control.type === 'checkbox') {
    if (typeof value === 'boolean') control.checked = value;
  } else if (control.type === 'radio') {
    if (control.value === value && !control.disabled) control.checked = true;
  } else if (typeof value === 'string' && value !== '') {
    const before = control.value;
    control.value = value;
    if (!control.validity.valid || control.value === '') control.value = before;
  }
}

/** Those in options that are off have no value: they count as if nobody had changed them. */
function termsIn(form: HTMLFormElement): Record<string, unknown> {
  const off = new Set<unknown>(controlsThatAreOff(form));
  return Object.fromEntries(
    OPTIONS.flatMap(({ fields }) => fields).map((name) => [
      name,
      valueOf(inputs(form, name).filter((input) => !off.has(input))),
    ]),
  );
}

function valueOf(group: Control[]): unknown {
  const [first] = group;
  if (first instanceof HTMLSelectElement) return first.value;
  if (first?.type === 'checkbox') return first.checked;
  return first?.type === 'radio' ? group.find(isChecked)?.value : first?.value;
}

function isChecked(control: Control): boolean {
  return control instanceof HTMLInputElement && control.checked;
}

function inputs(form: HTMLFormElement, name: string): Control[] {
  return [
    ...form.querySelectorAll<Control>(`input[name="${name}"]:not([type=hidden]), select[name="${name}"]`),
  ];
}
