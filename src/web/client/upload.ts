const ENOUGH_TO_TELL_OF = 256 * 1024;

/** Sends a form, telling how far it has come; resolves to the page that it is answered with. */
export function send(form: HTMLFormElement): Promise<string> {
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
    request.send(new FormData(form));
  });
}
