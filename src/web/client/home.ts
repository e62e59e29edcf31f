import { listFiles } from './chosen-files.js';
import { cleanAddress } from './clean-address.js';
import { tellEnd } from './end.js';
import { enhance } from './enhance.js';
import { offerPasswords } from './generate-password.js';
import { offerHttps } from './https.js';
import { showFieldsOfKind } from './kinds.js';
import { rememberSettings } from './remember.js';
import { showAnswer } from './show-answer.js';
import type { Submission } from './submission.js';
import { submissionOf } from './submission.js';
import { text } from './texts.js';
import { send } from './upload.js';

/** Fields that the server leaves empty when it returns a form with errors, because it must not send secrets back. */
const SECRETS = ['payload', 'passphrase'];

/** The submission that was sent and got no response yet. */
let unanswered: Submission | undefined;

enhance(document);
start();

function start(): void {
  const form = document.querySelector<HTMLFormElement>('form#make');
  if (!form) return;
  rememberSettings(form);
  listFiles(form);
  showFieldsOfKind(form);
  tellEnd(form);
  offerPasswords(form);
  offerHttps(form);
  cleanAddress();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(form);
  });
}

async function submit(form: HTMLFormElement): Promise<void> {
  const secrets = SECRETS.map((id) => [id, valueOf(id)] as const);
  const files = filesIn(form)?.files;
  const button = form.querySelector<HTMLButtonElement>('button:not([type])');
  if (button) button.disabled = true;
  unanswered = submissionOf(form, unanswered);
  try {
    showAnswer(await send(form, unanswered));
  } catch {
    showNotice(form, text('script.noAnswer'));
    if (button) button.disabled = false;
    return;
  }
  unanswered = undefined;
  for (const [id, value] of secrets) {
    const field = document.getElementById(id) as HTMLInputElement | null;
    if (field) field.value = value;
  }
  const again = document.querySelector<HTMLFormElement>('form#make');
  const input = again && filesIn(again);
  if (input && files) input.files = files;
  start();
}

function showNotice(form: HTMLFormElement, message: string): void {
  const notice = document.createElement('p');
  notice.className = 'notice bad';
  notice.setAttribute('role', 'alert');
  notice.textContent = message;
  document.querySelector('main .notice')?.remove();
  form.before(notice);
  notice.scrollIntoView({ block: 'center' });
}

function valueOf(id: string): string {
  return (document.getElementById(id) as HTMLInputElement | null)?.value ?? '';
}

function filesIn(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>('input[type=file]');
}
