import { sizeAbove, sizeIn } from '../../texts/size.js';
import { chooseKindOfFiles } from '../page/kind-of-files.js';
import { icon } from '../page/icon.js';
import { locale, showText, text } from '../page/texts.js';
import { errorElement } from './form-errors.js';

/** Lets files be dropped and pasted, lists those that are chosen, and checks their limits before anything is sent. */
export function listFiles(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type=file]');
  const field = form.querySelector<HTMLElement>('[data-field=files]');
  keepPageOnDrop(form);
  if (!input || !field) return;
  moveFilesUp(form, field, input);
  let chosen: File[] = [];

  const set = (files: File[]) => {
    chosen = files;
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    input.files = transfer.files;
    showChosen(field, files, errorOf(files, input), (file) => {
      set(chosen.filter((other) => other !== file));
    });
  };
  const add = (files: File[]) => {
    if (files.length === 0 || field.closest('[inert]')) return; // which it is while the form is sent
    const others = chosen.filter((file) => !files.some((added) => isSame(file, added))); // one that was moved is replaced
    set([...others, ...files]);
    chooseKindOfFiles(form);
  };

  const setAsFilledIn = () => {
    set([...(input.files ?? [])]);
  };
  setAsFilledIn();
  addEventListener('pageshow', setAsFilledIn); // browsers may have filled it in as it was left
  form.addEventListener('reset', () => {
    set([]);
  });
  input.addEventListener('change', () => {
    const added = [...(input.files ?? [])];
    set(chosen); // a browser puts those that were just chosen in place of the others
    add(added);
  });
  document.addEventListener('drop', ({ dataTransfer }) => {
    if (form.isConnected && hasFiles(dataTransfer)) add(droppedFiles(dataTransfer, field));
  });
  document.addEventListener('paste', (event) => {
    const files = form.isConnected ? pastedFiles(event.clipboardData, chosen) : [];
    if (files.length > 0) event.preventDefault();
    add(files);
  });
  form.addEventListener('submit', (event) => {
    if (input.disabled || !errorOf(chosen, input)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    field.querySelector<HTMLElement>('[data-choose]')?.focus();
  });
}

/** A file dropped where no files are accepted would replace the page, with everything typed. */
function keepPageOnDrop(form: HTMLFormElement): void {
  const keep = (event: DragEvent) => {
    if (form.isConnected && hasFiles(event.dataTransfer)) event.preventDefault();
  };
  document.addEventListener('dragover', keep);
  document.addEventListener('drop', keep);
}

function isSame(a: File, b: File): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
}

/**
 * Shows the field of files below the choice of kinds. The input itself stays the last of the form, so that files are
 * sent after the other fields.
 */
function moveFilesUp(form: HTMLFormElement, field: HTMLElement, input: HTMLInputElement): void {
  input.hidden = true;
  form.append(input);
  field.querySelector('label')?.classList.add('visually-hidden'); // what follows needs none
  if (form.querySelector('[name="push[kind]"]')) form.querySelector('[data-field=payload]')?.before(field);
  const [drop, choose] = [part(field, '[data-drop]'), part(field, '[data-choose]')];
  if (drop) drop.hidden = false;
  choose?.addEventListener('click', () => {
    input.click();
  });
  const mark = (isOver: boolean) => () => drop?.classList.toggle('over', isOver);
  document.addEventListener('dragover', mark(true));
  document.addEventListener('dragleave', mark(false));
  document.addEventListener('drop', mark(false));
}

/** Lists the chosen files, and marks those that are rejected. */
function showChosen(
  field: HTMLElement,
  files: File[],
  error: FilesError | undefined,
  remove: (file: File) => void,
): void {
  const list = part(field, '[data-chosen]');
  const place = part(field, '[data-files-error]');
  if (!list || !place) return;
  const rows = files.map((file, i) =>
    row(file, error?.files.includes(file) ? error.limit : undefined, () => {
      remove(file);
      focusAfterRemoval(field, i);
    }),
  );
  list.replaceChildren(...rows);
  list.hidden = files.length === 0;
  showWhether(field, files);
  const message = [error?.message, field.dataset.note].filter(Boolean).join(' ');
  place.replaceChildren(...(message === '' ? [] : [errorElement(message)]));
  delete field.dataset.note;
  if (files.length > 0) field.querySelector('#files-error')?.remove(); // the error of the files that were sent before
}

/** Says how many there are, and offers to choose more. */
function showWhether(field: HTMLElement, files: File[]): void {
  const hasFiles = files.length > 0;
  for (const words of field.querySelectorAll<HTMLElement>('[data-unless-files]')) words.hidden = hasFiles;
  for (const words of field.querySelectorAll<HTMLElement>('[data-with-files]')) words.hidden = !hasFiles;
  part(field, '[data-drop]')?.classList.toggle('has-files', hasFiles);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const shared = text('script.sharedFiles', { count: files.length, size: sizeIn(locale(), bytes) });
  const sum = part(field, '[data-files-sum]');
  if (sum) showText(sum, hasFiles ? `${shared} · ` : '');
}

/** @param limit the one that it is above, if it is too large by itself */
function row(file: File, limit: number | undefined, remove: () => void): HTMLLIElement {
  const row = document.createElement('li');
  const [name, size, button] = [
    document.createElement('span'),
    document.createElement('span'),
    document.createElement('button'),
  ];
  const isWrong = limit !== undefined;
  row.classList.toggle('wrong', isWrong);
  name.className = 'name';
  name.translate = false;
  name.dir = 'auto'; // so that it is cut at its end
  name.textContent = name.title = file.name;
  size.className = 'size';
  size.textContent =
    limit === undefined ? sizeIn(locale(), file.size) : sizeAbove(limit, locale(), file.size);
  button.type = 'button';
  button.className = 'btn ghost icon-only';
  button.title = text('script.remove');
  button.setAttribute('aria-label', text('script.removeFile', { name: file.name }));
  button.append(icon('x'));
  button.addEventListener('click', remove);
  row.append(icon(isWrong ? 'alert' : 'file'), name, size, button);
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

/** Whether what is dragged contains files. */
function hasFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') ?? false;
}

/** Folders cannot be read as files, so they are left out, and the page says so. */
function droppedFiles({ items, files }: DataTransfer, field: HTMLElement): File[] {
  const entries = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry());
  const dropped = [...files].filter((_file, i) => !entries[i]?.isDirectory);
  if (dropped.length < files.length) field.dataset.note = text('script.noFolders');
  return dropped;
}

/** The files of the clipboard; none if it also contains text, as when cells of a spreadsheet were copied. */
function pastedFiles(transfer: DataTransfer | null, chosen: File[]): File[] {
  if (!transfer || transfer.types.includes('text/plain')) return [];
  const names = chosen.map(({ name }) => name);
  return [...transfer.files].map((file) => {
    const named = isScreenshot(file) ? renamed(file, freeName(screenshotName(new Date()), names)) : file;
    names.push(named.name);
    return named;
  });
}

/** Browsers give every picture of the clipboard the same name. */
function isScreenshot({ name, type }: File): boolean {
  return type.startsWith('image/') && /^image\.\w+$/.test(name);
}

function screenshotName(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  return `screenshot-${day}-${two(now.getHours())}${two(now.getMinutes())}`;
}

function freeName(name: string, taken: string[]): string {
  const isTaken = (candidate: string) => taken.some((other) => other.startsWith(`${candidate}.`));
  let candidate = name;
  for (let i = 2; isTaken(candidate); i++) candidate = `${name}-${i}`;
  return candidate;
}

function renamed(file: File, name: string): File {
  const [, extension = 'png'] = /\.(\w+)$/.exec(file.name) ?? [];
  return new File([file], `${name}.${extension}`, { type: file.type, lastModified: file.lastModified });
}

interface FilesError {
  message: string;
  /** The files that are too large by themselves, and how large they may be. */
  files: File[];
  limit: number;
}

/** What is wrong with the chosen files, in the words and the order of the server. */
function errorOf(files: File[], { dataset }: HTMLInputElement): FilesError | undefined {
  const limit = Number(dataset.maxBytes);
  const tooLarge = files.filter(({ size }) => size > limit);
  const inAll = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > Number(dataset.maxFiles))
    return { message: dataset.tooMany ?? '', files: tooLarge, limit };
  if (tooLarge.length > 0) return { message: dataset.tooLarge ?? '', files: tooLarge, limit };
  if (inAll > Number(dataset.maxBytesInAll))
    return { message: dataset.tooLargeInAll ?? '', files: [], limit };
  return undefined;
}
