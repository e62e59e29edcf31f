import { generatorOptions } from './generator-options.js';
import { randomPassword } from './random-password.js';
import { randomWords } from './random-words.js';
import { replaceText } from './replace-text.js';
import { showField } from './reveal.js';
import { text } from './texts.js';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Offers to fill the secret and the passphrase. What is generated leaves the browser only as what is sent. */
export function setUpPasswordGenerators(form: HTMLFormElement): void {
  for (const root of form.querySelectorAll<HTMLElement>('[data-generator]')) {
    const field = form.querySelector<Field>(`#${root.dataset.generator ?? ''}`);
    if (field) setUpGenerator(form, field, root);
  }
}

function setUpGenerator(form: HTMLFormElement, field: Field, root: HTMLElement): void {
  const options = generatorOptions(root);
  const status = root.querySelector<HTMLElement>('[data-status]');
  const undo = root.querySelector<HTMLButtonElement>('[data-undo]');
  let before = '';
  if (field.id !== 'payload') root.hidden = false; // that of the secret is shown with its kind

  const fill = (value: string) => {
    const previous = field.value;
    showField(field);
    field.classList.add('generated');
    replaceText(field, value);
    before = previous;
    if (undo) undo.hidden = before === '';
  };
  const forget = () => {
    before = '';
    if (undo) undo.hidden = true;
  };
  const generate = async () => {
    const { of, length, symbols, words } = options();
    if (status) status.textContent = '';
    try {
      fill(of === 'words' ? await randomWords(words) : randomPassword(length, symbols));
    } catch {
      if (status) status.textContent = text('script.wordsFailed');
    }
  };

  root.querySelector('[data-generate]')?.addEventListener('click', () => void generate());
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault(); // does not send the form
    void generate();
  });
  undo?.addEventListener('click', () => {
    replaceText(field, before);
    forget();
  });
  form.addEventListener('reset', forget); // its push has been created
  field.addEventListener('input', () => {
    forget();
    if (field.value === '') field.classList.remove('generated');
  });
}
