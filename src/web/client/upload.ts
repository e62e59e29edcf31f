import type { Submission } from './submission.js';

const ENOUGH_TO_TELL_OF = 256 * 1024;
const PAUSE_MS = 1000;

/**
 * Sends a form, and a second time when no answer comes: the server may have done all of it before the connection
 * broke, which it recognises by the key. Resolves to the page that it is answered with.
 */
export async function send(form: HTMLFormElement, submission: Submission): Promise<string> {
  try {
    return await sendOnce(form, submission);
  } catch {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return sendOnce(form, submission);
  }
}

/** Shows how far it has come. */
function sendOnce(form: HTMLFormElement, { content, idempotencyKey }: Submission): Promise<string> {
  const bar = form.querySelector('progress');
  const box = form.querySelector<HTMLElement>('[data-upload]');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest(); // fetch does not tell how much has been sent
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (box) box.hidden = total < ENOUGH_TO_TELL_OF;
      if (bar) bar.value = Math.floor((100 * loaded) / Math.max(total, 1));
    });
    request.addEventListener('load', () => {
      resolve(request.responseText);
    });
    request.addEventListener('error', () => {
      reject(new Error('not sent'));
    });
    request.open('POST', form.action);
    request.setRequestHeader('Idempotency-Key', `"${idempotencyKey}"`);
    request.send(content);
  });
}
