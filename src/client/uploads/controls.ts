import { durationIn } from '../../texts/duration.js';
import { locale, showText, text } from '../page/texts.js';
import { TimeLeft } from './time-left.js';

/** How far uploads are, in the progress of a form: see components/progress.tsx. With a button that pauses them. */
export class UploadControls {
  private readonly label: HTMLElement | null;
  private readonly cancel: HTMLElement | null;
  private readonly sending: string;
  private readonly left = document.createElement('span');
  private readonly button = document.createElement('button');
  private readonly timeLeft = new TimeLeft();
  private continued: (() => void) | undefined;
  private pause: () => void = () => undefined;
  isPaused = false;

  constructor(form: HTMLFormElement) {
    this.label = form.querySelector('label[for=progress]');
    this.sending = this.label?.textContent ?? '';
    this.label?.setAttribute('aria-live', 'polite');
    this.left.className = 'quiet small';
    this.button.type = 'button';
    this.button.className = 'btn sm';
    this.button.addEventListener('click', () => {
      this.toggle();
    });
    this.showButton();
    form.querySelector('[data-percent]')?.after(this.left);
    this.cancel = form.querySelector('[data-cancel]');
    this.cancel?.before(this.button);
  }

  /** Calls this once the user pauses. Resolves when they continue, or the signal aborts. */
  onPause(pause: () => void, signal: AbortSignal): Promise<void> {
    this.pause = pause;
    return new Promise((resolve) => {
      this.continued = resolve;
      signal.addEventListener('abort', () => {
        resolve();
      });
    });
  }

  update(done: number, total: number, isWaiting: boolean): void {
    if (isWaiting || this.isPaused) this.timeLeft.reset();
    const seconds = isWaiting ? undefined : this.timeLeft.after(done, total);
    showText(
      this.left,
      seconds === undefined ? '' : text('script.timeLeft', { time: durationIn(locale(), seconds) }),
    );
    if (this.label && !this.isPaused)
      showText(this.label, isWaiting ? text('script.uploadWaiting') : this.sending);
  }

  end(): void {
    if (document.activeElement === this.button) this.cancel?.focus(); // which is asked for the focus when it is hidden
    this.left.remove();
    this.button.remove();
    if (this.label) showText(this.label, this.sending);
  }

  private toggle(): void {
    this.isPaused = !this.isPaused;
    this.showButton();
    if (this.label) showText(this.label, this.isPaused ? text('script.uploadPaused') : this.sending);
    if (this.isPaused) {
      showText(this.left, '');
      this.pause();
    } else {
      this.continued?.();
    }
  }

  private showButton(): void {
    this.button.textContent = text(this.isPaused ? 'script.continueUpload' : 'script.pauseUpload');
  }
}
