import { text } from './texts.js';

/** Whether what is dragged contains files. */
export function hasFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') ?? false;
}

/** Folders cannot be read as files, so they are left out, and the page says so. */
export function droppedFiles({ items, files }: DataTransfer, field: HTMLElement): File[] {
  const entries = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry());
  const dropped = [...files].filter((_file, i) => !entries[i]?.isDirectory);
  if (dropped.length < files.length) field.dataset.note = text('script.noFolders');
  return dropped;
}

/** The files of the clipboard; none if it also contains text, as when cells of a spreadsheet were copied. */
export function pastedFiles(transfer: DataTransfer | null, chosen: File[]): File[] {
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
