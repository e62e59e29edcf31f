import { sizeIn } from '../../texts/size.js';
import type { FilesError } from './file-limits.js';
import { locale, text } from './texts.js';

/**
 * Shows the field of files below the choice of kinds. The input itself stays the last of the form, so that files are
 * sent after the other fields.
 */
export function moveFilesUp(form: HTMLFormElement, field: HTMLElement, input: HTMLInputElement): void {
  input.hidden = true;
  form.querySelector('button.wide')?.before(input);
  form.querySelector('[data-field=payload]')?.before(field);
  const [drop, choose] = [part(field, '[data-drop]'), part(field, '[data-choose]')];
  if (drop) drop.hidden = false;
  choose?.addEventListener('click', () => {
    input.click();
  });
  const mark = (isOver: boolean) => () => drop?.classList.toggle('over', isOver);
  form.addEventListener('dragover', mark(true));
  form.addEventListener('dragleave', mark(false));
  form.addEventListener('drop', mark(false));
}

/** Lists the chosen files, and marks those that are rejected. */
export function showChosen(
  field: HTMLElement,
  files: File[],
  error: FilesError | undefined,
  remove: (file: File) => void,
): void {
  const list = part(field, '[data-chosen]');
  const message = part(field, '[data-files-error]');
  if (!list || !message) return;
  const rows = files.map((file, i) =>
    row(file, error?.files.includes(file) ?? false, () => {
      remove(file);
      focusAfterRemoval(field, i);
    }),
  );
  list.replaceChildren(...rows);
  list.hidden = files.length === 0;
  message.textContent = [error?.message, field.dataset.note].filter(Boolean).join(' ');
  delete field.dataset.note;
  if (files.length > 0) field.querySelector('#files-error')?.remove(); // the error of the files that were sent before
}

function row(file: File, isWrong: boolean, remove: () => void): HTMLLIElement {
  const row = document.createElement('li');
  const [name, size, button] = [
    document.createElement('span'),
    document.createElement('span'),
    document.createElement('button'),
  ];
  row.classList.toggle('wrong', isWrong);
  name.className = 'name';
  name.textContent = file.name;
  size.className = 'quiet';
  size.textContent = sizeIn(locale(), file.size);
  button.type = 'button';
  button.className = 'secondary small';
  button.textContent = text('script.remove');
  button.setAttribute('aria-label', text('script.removeFile', { name: file.name }));
  button.addEventListener('click', remove);
  row.append(name, size, button);
  return row;
}

/** Moves the focus to the next file, otherwise to the button that chooses files. */
function focusAfterRemoval(field: HTMLElement, i: number): void {
  const buttons = field.querySelectorAll<HTMLElement>('[data-chosen] button');
  (buttons[i] ?? buttons[i - 1] ?? part(field, '[data-choose]'))?.focus();
}

function part(field: HTMLElement, selector: string): HTMLElement | null {
  return field.querySelector(selector);
}
