import { listFiles } from './chosen-files.js';
import { cleanAddress } from './clean-address.js';
import { showEnd } from './end.js';
import { offerEncryption } from './encryption-choice.js';
import { enhance } from './enhance.js';
import { offerPasswords } from './generate-password.js';
import { offerHttps } from './https.js';
import { showFieldsOfKind } from './kinds.js';
import { rememberSettings } from './remember.js';
import { SenderForm } from './sender-form.js';

enhance(document);
const form = document.querySelector<HTMLFormElement>('form#make');
if (form) {
  rememberSettings(form);
  offerEncryption(form);
  listFiles(form);
  showFieldsOfKind(form);
  showEnd(form);
  offerPasswords(form);
  offerHttps(form);
  cleanAddress();
  new SenderForm(form).listen();
}
