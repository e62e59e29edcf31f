import { showSecret } from './secrets.js';
import { text } from './texts.js';

const LABEL_SHOWN_FOR_MS = 4000;
const ADVICE_SHOWN_FOR_MS = 10_000;

/** A button with `data-copy` copies the content of the element with that id. */
export function setUpCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    const status = statusAfter(button);
    button.addEventListener('click', () => {
      void copy(button, status);
    });
  }
}

/** Screen readers announce only what changes in an element that was there before. */
function statusAfter(button: HTMLButtonElement): HTMLElement {
  const status = document.createElement('span');
  status.className = 'visually-hidden';
  status.setAttribute('role', 'status');
  button.after(status);
  return status;
}

async function copy(button: HTMLButtonElement, status: HTMLElement): Promise<void> {
  const source = document.getElementById(button.dataset.copy ?? '');
  if (!source) return;
  const isCopied = await write(isField(source) ? source.value : source.textContent, button);
  if (isCopied) button.dispatchEvent(new Event('copied', { bubbles: true }));
  else select(source);
  const shown = isCopied ? text('script.copied') : adviceToCopy();
  status.textContent = shown;
  showLabel(button, shown, isCopied ? LABEL_SHOWN_FOR_MS : ADVICE_SHOWN_FOR_MS);
}

function isField(source: HTMLElement): source is HTMLInputElement | HTMLTextAreaElement {
  return source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement;
}

/** Browsers offer the clipboard only over TLS; without it, a selection can be copied. */
async function write(content: string, button: HTMLButtonElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    return writeSelection(content, button);
  }
}

function writeSelection(content: string, button: HTMLButtonElement): boolean {
  const field = document.createElement('textarea');
  field.className = 'visually-hidden';
  field.readOnly = true;
  field.value = content;
  button.after(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way without TLS
  const isCopied = document.execCommand('copy');
  field.remove();
  button.focus();
  return isCopied;
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

const timers = new WeakMap<HTMLButtonElement, number>();

function showLabel(button: HTMLButtonElement, shown: string, forMs: number): void {
  const label = (button.dataset.label ??= button.textContent);
  if (button.textContent === label) button.style.minWidth = `${button.offsetWidth}px`; // what is beside it stays where it is
  button.textContent = shown;
  clearTimeout(timers.get(button));
  const timer = setTimeout(() => {
    button.textContent = label;
    button.style.minWidth = '';
  }, forMs);
  timers.set(button, timer);
}
