import { enhance } from './enhance.js';
import { offerQrImage } from './qr-image.js';
import { secretsOfPage } from './result-secrets.js';
import { showLink } from './whole-link.js';

const { deleteKey, fragment } = secretsOfPage();
if (deleteKey !== undefined) showDeleteLink(deleteKey);
if (deleteKey !== undefined || fragment !== undefined) keepLanguage();
void showLink(fragment).then(offerQrImage);
offerToShare();
enhance(document);

/** That of a sender without an account. */
function showDeleteLink(key: string): void {
  const section = document.querySelector<HTMLElement>('[data-delete-link]');
  const field = section?.querySelector('input');
  if (!section || !field) return;
  field.value = `${section.dataset.deleteLink ?? ''}#${key}`;
  section.hidden = false;
}

/** Another one would lead to this page without what the tab has kept for it. */
function keepLanguage(): void {
  document.querySelector('form[action$="/language"]')?.remove();
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
