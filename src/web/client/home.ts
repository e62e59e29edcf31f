import { listFiles } from './chosen-files.js';
import { cleanUrl } from './clean-url.js';
import { showEnd } from './end.js';
import { setUpEncryptionChoice } from './end-to-end/encrypting/encryption-choice.js';
import { enhance } from './enhance.js';
import { setUpPasswordGenerators } from './generate-password.js';
import { setUpHttpsOffer } from './https.js';
import { showFieldsOfKind } from './kinds.js';
import { rememberSettings } from './remember.js';
import { SenderForm } from './sender-form.js';

enhance(document);
const form = document.querySelector<HTMLFormElement>('form#make');
if (form) {
  rememberSettings(form);
  setUpEncryptionChoice(form);
  listFiles(form);
  showFieldsOfKind(form);
  showEnd(form);
  setUpPasswordGenerators(form);
  setUpHttpsOffer(form);
  cleanUrl();
  new SenderForm(form).listen();
}
