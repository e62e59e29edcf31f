import type { Submission } from './submission.js';

const PROGRESS_FROM_BYTES = 256 * 1024;
const PAUSE_MS = 1000;

/**
 * Sends a form, and retries once when there is no response: the server may have handled it before the connection
 * broke, and recognises the retry by its key. Resolves to the page in the response.
 */
export async function send(form: HTMLFormElement, submission: Submission): Promise<string> {
  try {
    return await sendOnce(form, submission);
  } catch {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return sendOnce(form, submission);
  }
}

/** Shows the progress of the upload. */
function sendOnce(form: HTMLFormElement, { content, idempotencyKey }: Submission): Promise<string> {
  const bar = form.querySelector('progress');
  const box = form.querySelector<HTMLElement>('[data-upload]');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest(); // fetch does not report upload progress
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (box) box.hidden = total < PROGRESS_FROM_BYTES;
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
