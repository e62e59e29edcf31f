import { deleteKeyOfPage } from './delete-key.js';
import { enhance } from './enhance.js';
import { offerQrImage } from './qr-image.js';

showDeleteLink();
offerToShare();
offerQrImage();
enhance(document);

/** That of a sender without an account. */
function showDeleteLink(): void {
  const section = document.querySelector<HTMLElement>('[data-delete-link]');
  const field = section?.querySelector('input');
  const key = deleteKeyOfPage();
  if (!section || !field || key === undefined) return;
  field.value = `${section.dataset.deleteLink ?? ''}#${key}`;
  section.hidden = false;
  document.querySelector('form[action$="/language"]')?.remove(); // it would lead to this page without the key
}

/** By the share menu of the system, where the browser has one. */
function offerToShare(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-share]');
  if (!button || !('share' in navigator)) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    navigator.share({ url: button.dataset.share }).catch(() => undefined); // the user may close the menu
  });
}
