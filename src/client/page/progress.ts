import { locale, text } from './texts.js';

const SHOWN_FROM_BYTES = 256 * 1024;
const SHOWN_AFTER_MS = 700;

/**
 * The progress of one task, such as encrypting and sending a form, or a download, with a button to cancel it. What
 * arrives after the task has ended shows nothing.
 */
export class Progress {
  private readonly box: HTMLElement | null;
  private readonly bar: HTMLProgressElement | null;
  private readonly percent: HTMLElement | null;
  private readonly label: HTMLElement | null;
  private readonly sending: string;
  private readonly timer: number;
  private hasEnded = false;
  private readonly button: HTMLButtonElement | null;
  /** What had the focus and is hidden by the progress that stands in its place. */
  private replaced: HTMLElement | undefined;

  /**
   * Begins it.
   * @param cancel called when the user cancels
   */
  constructor(root: ParentNode, cancel: () => void) {
    this.box = root.querySelector('[data-upload]');
    this.bar = root.querySelector('progress');
    this.percent = root.querySelector('[data-percent]');
    this.label = root.querySelector('label[for=progress]');
    this.sending = this.label?.textContent ?? '';
    this.button = root.querySelector('[data-cancel]');
    if (this.button) this.button.onclick = cancel;
    this.set(0);
    this.timer = setTimeout(() => {
      this.show();
    }, SHOWN_AFTER_MS);
  }

  /** Shows that the secret is being encrypted. The progress of that is known only for files. */
  beginEncrypting(): void {
    if (this.hasEnded) return;
    if (this.label) this.label.textContent = text('script.endToEndEncrypting');
    if (this.percent) this.percent.textContent = '';
    this.bar?.removeAttribute('value');
  }

  beginSending(): void {
    if (this.hasEnded) return;
    if (this.label) this.label.textContent = this.sending;
    this.set(0);
  }

  update(done: number, total: number): void {
    if (this.hasEnded) return;
    this.set(done / Math.max(total, 1));
    if (total >= SHOWN_FROM_BYTES) this.show();
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.timer);
    if (this.label) this.label.textContent = this.sending;
    const hasFocus = this.button !== null && document.activeElement === this.button;
    if (this.box) this.box.hidden = true;
    if (hasFocus) this.replaced?.focus();
  }

  private set(share: number): void {
    const rounded = Math.floor(100 * share) / 100;
    if (this.bar) this.bar.value = 100 * rounded;
    if (this.percent) this.percent.textContent = rounded.toLocaleString(locale(), { style: 'percent' });
  }

  private show(): void {
    const active = document.activeElement;
    if (this.box) this.box.hidden = false;
    if (!(active instanceof HTMLElement) || active.checkVisibility()) return;
    this.replaced = active;
    this.button?.focus();
  }
}

/** Passes content on unchanged, and reports the size of each part. */
export function countingStream(
  count: (bytes: number) => void,
): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(chunk, controller) {
      count(chunk.length);
      controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
    },
  });
}
