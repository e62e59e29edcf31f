import { passphraseOf } from '../../shared/generator.js';
import { randomBelow, randomPassword } from './random.js';
import { insertText } from './insert-text.js';
import { showField } from '../page/reveal.js';
import { text } from '../page/texts.js';
import { store, storedRecord } from './stored.js';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Offers to insert something random into the secret and the passphrase. What is generated leaves the browser only as
 * what is sent.
 */
export function setUpPasswordGenerators(form: HTMLFormElement): void {
  for (const root of form.querySelectorAll<HTMLElement>('[data-generator]')) {
    const field = form.querySelector<Field>(`#${root.dataset.generator ?? ''}`);
    if (field) setUpGenerator(form, field, root);
  }
}

const generating = new Set<Promise<boolean>>();

/** Waits for what was asked for and is not in its field yet. Resolves to whether it is there. */
export async function whenGenerated(): Promise<boolean> {
  return (await Promise.all(generating)).every(Boolean);
}

function setUpGenerator(form: HTMLFormElement, field: Field, root: HTMLElement): void {
  const options = generatorOptions(root);
  const { words: language = 'en' } = root.dataset;
  const status = root.querySelector<HTMLElement>('[data-status]');
  const details = root.querySelector('details');
  const copy = root.querySelector<HTMLElement>('[data-once-generated]');
  let last = { value: '', at: 0 };
  let asked = 0;
  if (field.id !== 'payload') root.hidden = false; // that of the secret is shown with its kind
  if (details) details.hidden = !options.areStored();

  /** Puts it where the caret is; in place of what was generated last, as long as the caret stands behind that. */
  const insert = (value: string, before: Element | null) => {
    const active = document.activeElement; // while words were loaded, the sender may have gone on typing elsewhere
    showField(field); // before the selection is read, which a hidden password does not have
    field.classList.add('generated');
    const caret = field.selectionEnd ?? field.value.length;
    const isThere = last.value !== '' && field.value.slice(last.at, caret) === last.value;
    const at = isThere ? last.at : caret;
    insertText(field, value, at, caret);
    last = { value, at };
    if (active !== before && active instanceof HTMLElement) active.focus();
    if (details) details.hidden = false;
    if (copy) copy.hidden = false;
  };
  const generate = async () => {
    const { of, length, symbols, words } = options.read();
    const before = document.activeElement;
    const mine = ++asked; // only what was asked for last is inserted, whichever is there first
    if (status) status.textContent = '';
    try {
      const value = of === 'words' ? await randomWords(words, language) : randomPassword(length, symbols);
      if (mine === asked) insert(value, before);
      return true;
    } catch {
      if (mine !== asked) return true;
      if (status) status.textContent = text('script.wordsFailed');
      return false;
    }
  };
  const begin = () => {
    const begun = generate().finally(() => generating.delete(begun));
    generating.add(begun);
  };

  const button = root.querySelector('[data-generate]');
  button?.addEventListener('click', begin);
  for (const event of ['pointerenter', 'focus'])
    button?.addEventListener(event, () => {
      if (options.read().of === 'words') void words(language).catch(() => undefined); // which a click reports
    });
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault(); // does not send the form
    begin();
  });
  const resetIfEmpty = () => {
    if (field.value !== '') return;
    field.classList.remove('generated');
    if (copy) copy.hidden = true;
  };
  field.addEventListener('input', resetIfEmpty);
  form.addEventListener('reset', () => {
    last = { value: '', at: 0 }; // its push has been created
    setTimeout(resetIfEmpty);
  });
}

interface GeneratorOptions {
  of: string;
  length: number;
  symbols: boolean;
  words: number;
}

type Control = HTMLInputElement | HTMLSelectElement;

interface StoredOptions {
  read: () => GeneratorOptions;
  areStored: () => boolean;
}

/** The options of a generator, remembered in this browser. */
function generatorOptions(root: HTMLElement): StoredOptions {
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
  return { read, areStored: () => storedRecord(name) !== undefined };
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

const OF_WORDS = { separator: '-', capitalize: false, number: false, symbol: false };

async function randomWords(wordCount: number, language: string): Promise<string> {
  return passphraseOf(await words(language), { ...OF_WORDS, wordCount }, randomBelow);
}

let list: Promise<string[]> | undefined;

/** The list of words, which is loaded at the first use. A page has them in one language. */
function words(language: string): Promise<string[]> {
  list ??= load(language);
  list.catch(() => (list = undefined));
  return list;
}

async function load(language: string): Promise<string[]> {
  const response = await fetch(new URL(`words-${language}.txt`, import.meta.url));
  if (!response.ok) throw new Error('no word list');
  const lines = (await response.text()).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
