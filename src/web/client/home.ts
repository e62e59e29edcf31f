import { enhance } from './enhance.js';
import { offerPasswords } from './generate-password.js';
import { showFieldsOfKind } from './kinds.js';
import { SenderForm } from './sender-form.js';

enhance(document);
const form = document.querySelector<HTMLFormElement>('form#make');
if (form) {
  putFilesBesideSecret(form);
  showFieldsOfKind(form);
  offerPasswords(form);
  new SenderForm(form).listen();
}

/** Without a script files come last, so that they are sent last. */
function putFilesBesideSecret(form: HTMLFormElement): void {
  const files = form.querySelector('[data-field=files]');
  if (files) form.querySelector('[data-field=payload]')?.after(files);
}
