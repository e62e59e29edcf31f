import type { FormErrorResponse } from '../../shared/form-responses.js';
import { durationIn } from '../../texts/duration.js';
import type { ReceivedResponse } from '../../../packages/client/src/uploads/sent-request.js';
import { locale, showText, text } from '../page/texts.js';
import { TimeLeft, timeLeftIn } from './time-left.js';

/** How far uploads are, in bytes. */
export interface UploadState {
  sent: number;
  total: number;
  /** Bytes that were sent from here, now or before a break. */
  transferred: number;
  /** Whether nothing is sent, because of a break. */
  isWaiting: boolean;
  /** Why, if the server has said so again and again. */
  complaint: ReceivedResponse | undefined;
  /** When the first of them ends, in milliseconds since 1970, if that is known. */
  endsAt: number | undefined;
}

/** How far uploads are, in the progress of a form: see components/progress.tsx. With a button that pauses them. */
export class UploadControls {
  private readonly label: HTMLElement | null;
  private readonly cancel: HTMLElement | null;
  private readonly sending: string;
  private readonly left = document.createElement('span');
  private readonly note = document.createElement('span');
  private readonly button = document.createElement('button');
  private readonly timeLeft = new TimeLeft();
  private continued: () => void = () => undefined;
  private pause: () => void = () => undefined;
  isPaused = false;

  /** @param hint what there is to say while nothing else is */
  constructor(
    form: HTMLFormElement,
    private readonly hint = '',
  ) {
    this.label = form.querySelector('label[for=progress]');
    this.sending = this.label?.textContent ?? '';
    this.label?.setAttribute('aria-live', 'polite');
    this.left.className = 'quiet small';
    this.note.className = 'small';
    this.note.role = 'status';
    this.note.style.gridColumn = '1 / -1';
    this.button.type = 'button';
    this.button.className = 'btn sm';
    this.button.addEventListener('click', () => {
      this.toggle();
    });
    this.showButton();
    form.querySelector('[data-percent]')?.after(this.left);
    form.querySelector('[data-upload]')?.append(this.note);
    this.cancel = form.querySelector('[data-cancel]');
    this.cancel?.before(this.button);
  }

  /** Calls this once the user pauses. */
  onPause(pause: () => void): void {
    this.pause = pause;
  }

  /** Resolves while they are not paused, or once the signal has aborted. */
  async untilContinued(signal: AbortSignal): Promise<void> {
    while (this.isPaused && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.continued = resolve;
        signal.addEventListener('abort', () => {
          resolve();
        });
      });
    }
  }

  update(state: UploadState): void {
    const { sent, total, transferred, isWaiting } = state;
    if (isWaiting || this.isPaused) this.timeLeft.reset();
    const seconds = isWaiting ? undefined : this.timeLeft.after(transferred, total - sent);
    const time = seconds === undefined ? '' : timeLeftIn(locale(), seconds);
    showText(this.left, time === '' ? '' : text('script.timeLeft', { time }));
    showText(this.note, complaintIn(state) || warningOf(state, seconds) || this.hint);
    if (this.label && !this.isPaused)
      showText(this.label, isWaiting ? text('script.uploadWaiting') : this.sending);
  }

  end(): void {
    if (document.activeElement === this.button) this.cancel?.focus(); // which is asked for the focus when it is hidden
    this.left.remove();
    this.note.remove();
    this.button.remove();
    if (this.label) showText(this.label, this.sending);
  }

  private toggle(): void {
    this.isPaused = !this.isPaused;
    this.showButton();
    if (this.label) showText(this.label, this.isPaused ? text('script.uploadPaused') : this.sending);
    if (this.isPaused) {
      showText(this.left, '');
      showText(this.note, '');
      this.pause();
    } else {
      this.continued();
    }
  }

  private showButton(): void {
    this.button.textContent = text(this.isPaused ? 'script.continueUpload' : 'script.pauseUpload');
  }
}

/** What the server says while it cannot take them; empty if it says nothing. */
function complaintIn({ complaint }: UploadState): string {
  const { errors = {} } = (complaint?.content ?? {}) as Partial<FormErrorResponse>;
  return Object.values(errors).join(' ');
}

/** That they are deleted before all of them have arrived; empty if that is not so. */
function warningOf({ endsAt }: UploadState, secondsLeft: number | undefined, now = Date.now()): string {
  const untilEnd = ((endsAt ?? Infinity) - now) / 1000;
  if (secondsLeft === undefined || secondsLeft < untilEnd) return '';
  return text('script.uploadTooSlow', { time: durationIn(locale(), Math.max(60, untilEnd)) });
}
