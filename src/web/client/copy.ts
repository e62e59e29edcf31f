import { text } from './texts.js';

const LABEL_SHOWN_FOR_MS = 2000;

/** A button with `data-copy` copies the content of the element with that id. */
export function makeCopyButtonsWork(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      void copy(button);
    });
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset.copy ?? '');
  if (!source) return;
  const isCopied = await write(source instanceof HTMLInputElement ? source.value : source.textContent);
  if (!isCopied) select(source);
  showLabel(button, text(isCopied ? 'script.copied' : 'script.copyByHand'));
}

/** Browsers offer the clipboard only over TLS. */
async function write(content: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    return false;
  }
}

function select(source: HTMLElement): void {
  source.closest('details')?.setAttribute('open', '');
  if (source instanceof HTMLInputElement) {
    source.select();
  } else {
    getSelection()?.selectAllChildren(source);
  }
}

function showLabel(button: HTMLButtonElement, shown: string): void {
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = shown;
  button.setAttribute('aria-live', 'polite');
  setTimeout(() => {
    button.textContent = label;
  }, LABEL_SHOWN_FOR_MS);
}
