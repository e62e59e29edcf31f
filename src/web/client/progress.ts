const SHOWN_FROM_BYTES = 256 * 1024;
const SHOWN_AFTER_MS = 700;

/** The progress of sending a form, with a button to cancel it. */
export class Progress {
  private readonly box: HTMLElement | null;
  private readonly bar: HTMLProgressElement | null;
  private timer: number | undefined;

  constructor(private readonly form: HTMLFormElement) {
    this.box = form.querySelector('[data-upload]');
    this.bar = form.querySelector('progress');
  }

  /** @param cancel called when the user cancels */
  begin(cancel: () => void): void {
    const button = this.form.querySelector<HTMLButtonElement>('[data-cancel]');
    if (button) button.onclick = cancel;
    if (this.bar) this.bar.value = 0;
    this.timer = setTimeout(() => {
      this.show();
    }, SHOWN_AFTER_MS);
  }

  update(sent: number, total: number): void {
    if (this.bar) this.bar.value = Math.floor((100 * sent) / Math.max(total, 1));
    if (total >= SHOWN_FROM_BYTES) this.show();
  }

  end(): void {
    clearTimeout(this.timer);
    if (this.box) this.box.hidden = true;
  }

  private show(): void {
    if (this.box) this.box.hidden = false;
  }
}
