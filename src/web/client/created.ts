import { enhance } from './enhance.js';
import { setUpQrImageButton } from './qr-image.js';
import { secretsOfPage } from './result-secrets.js';
import { showLink } from './whole-link.js';

const { deleteKey, fragment } = secretsOfPage();
if (deleteKey !== undefined) showDeleteLink(deleteKey);
if (deleteKey !== undefined || fragment !== undefined) keepLanguage();
void showLink(fragment).then(setUpQrImageButton);
setUpShareButton();
enhance(document);

/** Shows the link with which a sender without an account may delete the push. */
function showDeleteLink(key: string): void {
  const section = document.querySelector<HTMLElement>('[data-delete-link]');
  const field = section?.querySelector('input');
  if (!section || !field) return;
  field.value = `${section.dataset.deleteLink ?? ''}#${key}`;
  section.hidden = false;
}

/** Hides the choice of language: it would reload the page without the secrets that the tab keeps for it. */
function keepLanguage(): void {
  document.querySelector('form[action$="/language"]')?.remove();
}

/** Shows the button that opens the system's share menu, if the browser has one. */
function setUpShareButton(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-share]');
  if (!button || !('share' in navigator)) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    navigator.share({ url: button.dataset.share }).catch(() => undefined); // the user may close the menu
  });
}
