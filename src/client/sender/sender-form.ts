import type { CreatedResponse, FormErrorResponse, FormOwner } from '../../shared/form-responses.js';
import { reasonOf } from '../../../packages/client/src/end-to-end/end-to-end-error.js';
import { clearErrors, clearErrorsOnceCorrected, focusFirstError, showErrors } from './form-errors.js';
import type { Offer } from './form-alert.js';
import { clearAlert, showAlert, showNotice } from './form-alert.js';
import { setOwner, adoptSignedInAccount } from './owner.js';
import { EncryptionFailed, InvalidSecret, orAborted, prepareBody } from './prepare-body.js';
import { Progress } from '../page/progress.js';
import type { ReceivedResponse } from '../../../packages/client/src/uploads/sent-request.js';
import { FormUploads, UploadFailed } from '../uploads/form-uploads.js';
import { whenGenerated } from './generator.js';
import { emptyForm } from './remember.js';
import { handOver } from './result-secrets.js';
import type { Submission } from './submission.js';
import { kindIn } from './kinds.js';
import { haveSameContent, sentIn, submissionOf } from './submission.js';
import { text, textWithData } from '../page/texts.js';
import { send } from './upload.js';
import { waitingTime } from '../page/waiting-time.js';

const ACCOUNT_LINKS = 'a[href*="/users/sign_in"], a[href*="/users/sign_up"]';

/** Sends the form, and shows in it what went wrong: whatever happens, it keeps what was typed and chosen. */
export class SenderForm {
  /** The submission that was sent and created nothing, as far as we know. */
  private unconfirmed: Submission | undefined;
  private isSending = false;
  /** Whether all of it has been sent: then it may have created something, whatever happens later. */
  private isSentWhole = false;
  /** Cancels finding out who is signed in: once the form is sent, it is told for which account. */
  private adopting = new AbortController();
  /** Whether the user may have signed in in another tab. */
  private mayHaveSignedIn = false;
  private readonly initialContent: FormData;
  private readonly uploads: FormUploads;

  /** @param earlier the same form in another language, which this one replaces */
  constructor(
    private readonly form: HTMLFormElement,
    earlier?: SenderForm,
  ) {
    this.initialContent = new FormData(form);
    this.unconfirmed = earlier?.unconfirmed;
    this.mayHaveSignedIn = earlier?.mayHaveSignedIn ?? false;
    this.uploads = earlier?.uploads ?? new FormUploads();
  }

  listen(): void {
    FormUploads.offerUnfinished(this.form);
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.submit();
    });
    document.addEventListener('click', ({ target }) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>(ACCOUNT_LINKS);
      if (link) this.keepPageOpen(link);
    });
    this.form.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing || !this.isSentBy(event)) return;
      event.preventDefault();
      this.form.requestSubmit();
    });
    clearErrorsOnceCorrected(this.form, clearAlert);
    addEventListener('beforeunload', (event) => {
      if (this.form.isConnected && this.isFilledIn) event.preventDefault(); // the browser asks whether to leave
    });
    addEventListener('focus', () => {
      void this.adoptSignedInAccount();
    });
    document.addEventListener('visibilitychange', () => {
      void this.adoptSignedInAccount();
    });
  }

  /** An address is one line, although its field can have several. */
  private isSentBy({ ctrlKey, metaKey, target }: KeyboardEvent): boolean {
    const isAddress = target instanceof HTMLTextAreaElement && kindIn(this.form) === 'url';
    return ctrlKey || metaKey || (isAddress && target.name === 'push[payload]');
  }

  private async submit(): Promise<void> {
    if (this.isSending || this.button?.disabled) return; // requestSubmit() asks no button
    const cancelling = new AbortController();
    const { signal } = cancelling;
    const progress = this.begin(() => {
      cancelling.abort();
    });
    const show = await this.send(progress, signal).catch((error: unknown) => () => {
      this.showFailure(error, signal.aborted);
    });
    this.end(progress);
    show();
  }

  /** @returns what shows the outcome */
  private async send(progress: Progress, signal: AbortSignal): Promise<() => void> {
    if (this.mayHaveSignedIn) {
      this.mayHaveSignedIn = !(await adoptSignedInAccount(this.form, signal));
      signal.throwIfAborted();
    }
    if (this.form.querySelector('[data-sign-in]')?.checkVisibility())
      return () => {
        this.showSignInNotice(text('script.filesNeedAccount'));
      };
    if (!(await orAborted(whenGenerated(), signal)))
      return () => {
        showAlert(text('script.wordsFailed'));
      };
    const submission = submissionOf(this.form, this.unconfirmed);
    this.unconfirmed = submission;
    const { idempotencyKey } = submission;
    const { uploads } = this;
    const body = await prepareBody(this.form, submission, { progress, signal, uploads });
    const onProgress = (sent: number, total: number) => {
      this.isSentWhole = sent === total;
      progress.update(sent, total);
    };
    const response = await send(this.form.action, body, { idempotencyKey, signal, onProgress });
    return () => {
      this.show(response);
    };
  }

  private begin(cancel: () => void): Progress {
    this.isSending = true;
    this.isSentWhole = false;
    this.adopting.abort();
    this.button?.setAttribute('aria-busy', 'true');
    clearErrors(this.form);
    clearAlert();
    this.setInert(true);
    this.button?.focus({ preventScroll: true });
    return new Progress(this.form, cancel);
  }

  private end(progress: Progress): void {
    this.setInert(false);
    progress.end();
    this.isSending = false;
    this.button?.removeAttribute('aria-busy');
  }

  /** Nothing that is sent is changed meanwhile. */
  private setInert(isInert: boolean): void {
    for (const part of this.form.querySelectorAll<HTMLElement>('.body, [data-encryption]'))
      part.inert = isInert;
  }

  private showFailure(error: unknown, isCancelled: boolean): void {
    if (isCancelled) this.showCancelled();
    else if (error instanceof UploadFailed) this.showUploadFailure(error);
    else if (error instanceof InvalidSecret) this.showErrors(error.errors, null);
    else if (error instanceof EncryptionFailed) showAlert(encryptionFailure(error));
    else showAlert(text(navigator.onLine ? 'script.noResponse' : 'script.offline'));
  }

  private showUploadFailure({ reason }: UploadFailed): void {
    if ('refused' in reason) this.show(reason.refused);
    else showAlert(reason.failure);
  }

  private showCancelled(): void {
    showNotice(text(this.isSentWhole ? 'script.cancelledLate' : 'script.cancelled'));
    if (!this.isSentWhole) this.uploads.end();
  }

  private show({ status, content, header }: ReceivedResponse): void {
    const retryAfter = header('Retry-After');
    const { path, client_encrypted, errors, owner } = (content ?? {}) as Partial<
      FormErrorResponse & CreatedResponse
    >;
    const fragment = this.unconfirmed?.encrypted?.fragment;
    if (status === 201 && fragment !== undefined && !client_encrypted)
      showAlert(text('script.endToEndNotAccepted'));
    else if (status === 201 && path !== undefined && this.unconfirmed) this.goTo(path, this.unconfirmed);
    else if (status === 401 && errors && this.isAnswer) this.askForPassphrase(errors);
    else if (status === 401) this.showSignInNotice(text('script.signInNeeded'));
    else if (status === 409 && owner) this.askForOwner(owner);
    else if (status === 409 && errors) this.showSignInNotice(errors.form ?? '');
    else if (errors) this.showErrors(errors, retryAfter);
    else this.showForeignResponse(status, retryAfter);
    if (status === 410) this.unconfirmed = undefined;
    if (errors?.uploads) this.uploads.doubt(); // they may have ended while others were sent
  }

  /** Opens the page of the link. One step back in the history the form has its options and no secret. */
  private goTo(path: string, submission: Submission): void {
    const next = new URL(path, this.baseUrl);
    if (!this.isAnswer) handOver(next, sentIn(submission, this.form));
    this.unconfirmed = undefined;
    this.uploads.forget();
    emptyForm(this.form);
    location.assign(next);
  }

  /** Of an answer to a request: the form can be sent again once it was entered in another tab. */
  private askForPassphrase(errors: FormErrorResponse['errors']): void {
    const offer = { label: text('script.enterPassphrase'), href: location.href };
    showAlert(Object.values(errors).join(' '), [offer]);
  }

  private showErrors(errors: FormErrorResponse['errors'], retryAfter: string | null): void {
    const { form = '', uploads, ...ofFields } = errors;
    const others = showErrors(this.form, { ...ofFields, ...(uploads && { files: uploads }) });
    const messages = [form || text('script.invalid'), ...others, waitingTime(retryAfter)];
    showAlert(messages.filter(Boolean).join(' '));
    focusFirstError(this.form);
  }

  /** Shows the response of a proxy, which may have lost the server's response. */
  private showForeignResponse(status: number, retryAfter: string | null): void {
    const messages = {
      413: text('script.tooLarge'),
      429: text('script.tooMany'),
    } as Record<number, string>;
    const message = messages[status] ?? text(status < 500 ? 'script.noResponse' : 'script.serverError');
    showAlert([message, waitingTime(retryAfter)].filter(Boolean).join(' '));
  }

  private showSignInNotice(message: string): void {
    this.mayHaveSignedIn = true;
    showAlert(message, [this.signInOffer]);
  }

  private askForOwner({ mark, email }: FormOwner): void {
    const sendAs = (label: string): Offer => ({
      label,
      act: () => {
        setOwner(this.form, mark);
        void this.submit();
      },
    });
    if (email !== undefined) {
      showAlert(textWithData('script.otherAccount', { email }), [sendAs(text('script.createAs'))]);
    } else {
      this.mayHaveSignedIn = true;
      showAlert(text('script.signedOut'), [this.signInOffer, sendAs(text('script.createAnonymously'))]);
    }
  }

  /** Makes the link open a new tab if signing in or up in this tab would lose what was entered. */
  private keepPageOpen(link: HTMLAnchorElement): void {
    if (!this.form.isConnected) return;
    this.mayHaveSignedIn = true; // also of whoever comes back to this page, which browsers keep as it was
    if (haveSameContent(new FormData(this.form), this.initialContent)) return;
    link.href = accountPage(this.form, link.pathname.endsWith('/users/sign_up') ? 'sign_up' : 'sign_in');
    link.target = '_blank';
    link.rel = 'noopener';
  }

  private async adoptSignedInAccount(): Promise<void> {
    if (!this.form.isConnected || !this.mayHaveSignedIn || this.isSending) return;
    if (document.visibilityState === 'hidden') return;
    this.adopting = new AbortController();
    if (!(await adoptSignedInAccount(this.form, this.adopting.signal))) return;
    this.mayHaveSignedIn = false;
    showNotice(text('script.signedIn'));
  }

  /** Whether leaving the page would lose a secret, a passphrase or chosen files. */
  private get isFilledIn(): boolean {
    const parts = [...new FormData(this.form)];
    return parts.some(
      ([name, value]) =>
        (/\[(payload|passphrase)\]$/.test(name) && value !== '') ||
        (value instanceof File && value.name !== ''),
    );
  }

  private get signInOffer(): Offer {
    return { label: text('script.signIn'), href: accountPage(this.form, 'sign_in') };
  }

  /** Whether it answers a request: then it is for nobody's account, and leads to another page. */
  private get isAnswer(): boolean {
    return this.form.id === 'answer';
  }

  /** The URL of the front page. */
  private get baseUrl(): URL {
    return new URL(this.isAnswer ? '..' : '.', this.form.action);
  }

  private get button(): HTMLButtonElement | null {
    return this.form.querySelector('[data-submit]');
  }
}

function encryptionFailure({ cause }: EncryptionFailed): string {
  return text(reasonOf(cause) === 'unavailable' ? 'script.endToEndUnavailable' : 'script.endToEndFailed');
}

/** Signing in or up in another tab, which ends on a page that sends the visitor back to this one. */
function accountPage(form: HTMLFormElement, page: 'sign_in' | 'sign_up'): string {
  return new URL(`users/${page}?next=%2Fusers%2Fsigned_in`, form.action).href;
}
