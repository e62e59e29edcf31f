import { showSecret } from './secrets.js';
import { text } from './texts.js';

const TOAST_SHOWN_FOR_MS = 2000;
const ADVICE_SHOWN_FOR_MS = 10_000;

/**
 * A button with `data-copy` copies the value of the field with that id, or the text with which another element came:
 * what programs that translate or rewrite pages make of it later is not copied.
 */
export function setUpCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const source = document.getElementById(button.dataset.copy ?? '');
    if (!source) continue;
    const read = readerOf(source);
    button.hidden = false;
    setUpToasts();
    button.addEventListener('click', () => {
      void copy(button, source, read());
    });
  }
}

function readerOf(source: HTMLElement): () => string {
  if (isField(source)) {
    const { value } = source;
    if (source.readOnly) source.value = value; // which from now on does not follow the text in a textarea
    return () => source.value;
  }
  const content = source.textContent;
  source.addEventListener('copy', (event) => {
    if (selectedText() === source.textContent) setClipboard(event, content);
  });
  return () => content;
}

/** Every character of it, also those that are not drawn. */
function selectedText(): string | undefined {
  const selection = getSelection();
  return selection?.rangeCount === 1 ? selection.getRangeAt(0).toString() : undefined;
}

/** Returns whether the clipboard has exactly this. */
function setClipboard(event: ClipboardEvent, content: string): boolean {
  event.preventDefault();
  event.clipboardData?.setData('text/plain', content);
  return event.clipboardData?.getData('text/plain') === content;
}

async function copy(button: HTMLButtonElement, source: HTMLElement, content: string): Promise<void> {
  if (await write(content, button)) {
    button.dispatchEvent(new Event('copied', { bubbles: true }));
    showToast(text('script.copied'));
  } else {
    select(source);
    showToast(adviceToCopy(), ADVICE_SHOWN_FOR_MS);
  }
}

function isField(source: HTMLElement): source is HTMLInputElement | HTMLTextAreaElement {
  return source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement;
}

/** Browsers offer the clipboard only over TLS, and may refuse it; what a selection is copied as can be set without. */
async function write(content: string, button: HTMLButtonElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    return writeSelection(content, button);
  }
}

/** The selection only has the browser begin to copy: as it is drawn, it has lost blanks and kinds of line ends. */
function writeSelection(content: string, button: HTMLButtonElement): boolean {
  const field = document.createElement('textarea');
  field.className = 'visually-hidden';
  field.readOnly = true;
  field.translate = false;
  field.value = content;
  button.after(field);
  field.select();
  let isSet = false;
  field.addEventListener('copy', (event) => {
    event.stopPropagation();
    isSet = setClipboard(event, content);
  });
  // oxlint-disable-next-line typescript/no-deprecated -- the only way without TLS
  const isCopied = document.execCommand('copy');
  field.remove();
  button.focus();
  return isCopied && isSet;
}

function select(source: HTMLElement): void {
  showSecret(source);
  if (isField(source)) {
    source.focus();
    source.select();
  } else {
    getSelection()?.selectAllChildren(source);
  }
}

function adviceToCopy(): string {
  if (matchMedia('(pointer: coarse)').matches) return text('script.copyByTouch');
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return text(isApple ? 'script.copyOnMac' : 'script.copyByHand');
}

let region: HTMLElement | undefined;
let timer: number | undefined;

/** Screen readers announce only what changes in an element that was there before. */
function setUpToasts(): void {
  if (region) return;
  region = document.createElement('div');
  region.setAttribute('role', 'status');
  document.body.append(region);
}

/** Shows a message above the page for a moment. */
function showToast(message: string, forMs = TOAST_SHOWN_FOR_MS): void {
  setUpToasts();
  const toast = document.createElement('p');
  toast.className = 'toast';
  toast.textContent = message;
  region?.replaceChildren(toast);
  clearTimeout(timer);
  timer = setTimeout(() => region?.replaceChildren(), forMs);
}
