import { passphraseOf } from '../../shared/generator.js';
import { randomBelow, randomPassword } from './random.js';
import { insertText } from './insert-text.js';
import { showField } from '../page/reveal.js';
import { text } from '../page/texts.js';
import { watchChips } from './chips.js';
import { store, storedRecord } from '../page/stored.js';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Offers to insert something random into the secret and the passphrase. What is generated leaves the browser only as
 * what is sent.
 */
export function setUpPasswordGenerators(form: HTMLFormElement): void {
  const generators = new Map<string, Generator>();
  for (const root of form.querySelectorAll<HTMLElement>('[data-generator]')) {
    const { generator: id = '' } = root.dataset;
    const field = form.querySelector<Field>(`#${id}`);
    const button = form.querySelector<HTMLButtonElement>(`[data-generate=${id}]`);
    if (field && button) generators.set(id, setUpGenerator(form, field, button, root));
  }
  watchChips(form, (option) => {
    const passphrase = form.querySelector<HTMLInputElement>('#passphrase');
    if (option === 'passphrase' && passphrase?.value === '') generators.get('passphrase')?.fillIn();
    if (option === 'people') form.querySelector<HTMLInputElement>('#recipients')?.focus();
  });
}

interface Generator {
  /** Fills the empty field with something random, selected, so that typing replaces it. */
  fillIn: () => void;
}

const generating = new Set<Promise<boolean>>();

/** Waits for what was asked for and is not in its field yet. Resolves to whether it is there. */
export async function whenGenerated(): Promise<boolean> {
  return (await Promise.all(generating)).every(Boolean);
}

function setUpGenerator(
  form: HTMLFormElement,
  field: Field,
  button: HTMLButtonElement,
  root: HTMLElement,
): Generator {
  const template = form.querySelector<HTMLTemplateElement>('[data-generator-options]');
  if (template) root.append(document.importNode(template.content, true));
  const options = generatorOptions(root);
  const { words: language = 'en' } = root.dataset;
  const status = root.querySelector<HTMLElement>('[data-status]');
  const details = root.querySelector('details');
  let last = { value: '', at: 0 };
  let asked = 0;
  button.hidden = false;
  if (details) details.hidden = !options.areStored();

  /** Puts it where the caret is; in place of what was generated last, as long as the caret stands behind that. */
  const insert = (value: string, before: Element | null) => {
    const active = document.activeElement; // while words were loaded, the sender may have gone on typing elsewhere
    showField(field); // before the selection is read, which a hidden password does not have
    const caret = field.selectionEnd ?? field.value.length;
    const isThere = last.value !== '' && field.value.slice(last.at, caret) === last.value;
    const at = isThere ? last.at : caret;
    insertText(field, value, at, caret);
    last = { value, at };
    if (active !== before && active instanceof HTMLElement) active.focus();
  };
  /** The same in an empty field, in which the sender may begin to type before the words are there. */
  const insertSelected = (value: string) => {
    if (field.value !== '') return;
    showField(field);
    if (document.activeElement === field) {
      insertText(field, value);
      field.select();
    } else {
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    last = { value, at: 0 };
  };
  const generate = async (put: (value: string) => void) => {
    const { of, length, symbols, words } = options.read();
    const mine = ++asked; // only what was asked for last is inserted, whichever is there first
    if (status) status.textContent = '';
    try {
      const value = of === 'words' ? await randomWords(words, language) : randomPassword(length, symbols);
      if (mine === asked) put(value);
      return true;
    } catch {
      if (mine !== asked) return true;
      if (status) status.textContent = text('script.wordsFailed');
      return false;
    }
  };
  const begin = (put: (value: string) => void) => {
    const begun = generate(put).finally(() => generating.delete(begun));
    generating.add(begun);
  };
  const beginAtCaret = () => {
    const before = document.activeElement;
    begin((value) => {
      insert(value, before);
    });
    if (details) details.hidden = false;
  };

  button.addEventListener('click', beginAtCaret);
  const loadWords = () => {
    if (options.read().of === 'words') void words(language).catch(() => undefined); // which a click reports
  };
  for (const event of ['pointerenter', 'focus']) button.addEventListener(event, loadWords);
  form.querySelector(`#with-${field.id}`)?.addEventListener('pointerenter', loadWords);
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault(); // does not send the form
    beginAtCaret();
  });
  form.addEventListener('reset', () => {
    last = { value: '', at: 0 }; // its push has been created
  });
  return {
    fillIn: () => {
      field.focus();
      begin(insertSelected);
    },
  };
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

  const chosen = { of: root.dataset.of, ...storedRecord(name) };
  for (const [option, value] of Object.entries(chosen)) fill(control(option), value);
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
