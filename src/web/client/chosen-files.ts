import { moveFilesUp, showChosen } from './files-field.js';
import { errorOf } from './file-limits.js';
import { droppedFiles, hasFiles, pastedFiles } from './given-files.js';

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
    if (files.length === 0) return;
    set([...chosen, ...files.filter((file) => !chosen.some((other) => isSame(file, other)))]);
    chooseKindOfFiles(form);
  };

  set([...(input.files ?? [])]);
  form.addEventListener('reset', () => {
    set([]);
  });
  input.addEventListener('change', () => {
    const added = [...(input.files ?? [])];
    set(chosen); // a browser puts those that were just chosen in place of the others
    add(added);
  });
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'encryption') set(chosen);
  });
  form.addEventListener('drop', (event) => {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    add(droppedFiles(event.dataTransfer, field));
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

/** A file dropped beside the form would replace the page, with everything typed. */
function keepPageOnDrop(form: HTMLFormElement): void {
  const keep = (event: DragEvent) => {
    if (form.isConnected && hasFiles(event.dataTransfer)) event.preventDefault();
  };
  document.addEventListener('dragover', keep);
  document.addEventListener('drop', keep);
}

function chooseKindOfFiles(form: HTMLFormElement): void {
  const kind = form.querySelector<HTMLInputElement>('[name="push[kind]"][value=file]');
  if (!kind || kind.checked) return;
  kind.checked = true;
  kind.dispatchEvent(new Event('change', { bubbles: true }));
}

function isSame(a: File, b: File): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
}
