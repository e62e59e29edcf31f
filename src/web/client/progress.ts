import { locale } from './texts.js';

const SHOWN_FROM_BYTES = 256 * 1024;
const SHOWN_AFTER_MS = 700;

/** The progress of sending a form, or of a download, with a button to cancel it. */
export class Progress {
  private readonly box: HTMLElement | null;
  private readonly bar: HTMLProgressElement | null;
  private readonly percent: HTMLElement | null;
  private timer: number | undefined;

  constructor(private readonly root: ParentNode) {
    this.box = root.querySelector('[data-upload]');
    this.bar = root.querySelector('progress');
    this.percent = root.querySelector('[data-percent]');
  }

  /** @param cancel called when the user cancels */
  begin(cancel: () => void): void {
    const button = this.root.querySelector<HTMLButtonElement>('[data-cancel]');
    if (button) button.onclick = cancel;
    this.set(0);
    this.timer = setTimeout(() => {
      this.show();
    }, SHOWN_AFTER_MS);
  }

  update(sent: number, total: number): void {
    this.set(sent / Math.max(total, 1));
    if (total >= SHOWN_FROM_BYTES) this.show();
  }

  end(): void {
    clearTimeout(this.timer);
    if (this.box) this.box.hidden = true;
  }

  private set(share: number): void {
    const rounded = Math.floor(100 * share) / 100;
    if (this.bar) this.bar.value = 100 * rounded;
    if (this.percent) this.percent.textContent = rounded.toLocaleString(locale(), { style: 'percent' });
  }

  private show(): void {
    if (this.box) this.box.hidden = false;
  }
}
