import { store, storedRecord } from './stored.js';

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
  if (remembered && isEmptyForm) fillIn(form, remembered);

  form.addEventListener('change', ({ target }) => {
    if (target === form) return; // nobody has chosen anything
    if (box.checked || target === box) store(NAME, box.checked ? termsIn(form) : undefined);
  });
}

/** Removes all but the options from the form. */
export function emptyForm(form: HTMLFormElement): void {
  const terms = termsIn(form);
  const box = form.querySelector<HTMLInputElement>('[data-remember] input');
  const isRemembering = box?.checked === true;
  form.reset();
  if (box) box.checked = isRemembering;
  for (const [name, value] of Object.entries(terms))
    for (const input of inputs(form, name)) fill(input, value);
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

/** Reads the stored options, which may be anything: this installation may have other bounds now. */
function fill(input: HTMLInputElement, value: unknown): void {
  if (input.type === 'checkbox') {
    if (typeof value === 'boolean') input.checked = value;
  } else if (input.type === 'radio') {
    if (input.value === value && !input.disabled) input.checked = true;
  } else if (typeof value === 'string' && value !== '') {
    const before = input.value;
    input.value = value;
    if (!input.validity.valid || input.value === '') input.value = before;
  }
}

function termsIn(form: HTMLFormElement): Record<string, unknown> {
  return Object.fromEntries(
    OPTIONS.flatMap(({ fields }) => fields).map((name) => [name, valueOf(inputs(form, name))]),
  );
}

function valueOf(group: HTMLInputElement[]): unknown {
  const [first] = group;
  if (first?.type === 'checkbox') return first.checked;
  return first?.type === 'radio' ? group.find(({ checked }) => checked)?.value : first?.value;
}

function inputs(form: HTMLFormElement, name: string): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`)];
}
