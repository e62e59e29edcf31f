import { listFiles } from './sender/files.js';
import { setUpEncryptionChoice } from './sender/encryption-choice.js';
import { enhanceForms } from './page/enhance.js';
import { setUpPasswordGenerators } from './sender/generator.js';
import { setUpHttpsOffer } from './sender/https.js';
import { showFieldsOfKind } from './sender/kinds.js';
import { changeLanguageInPlace } from './sender/language.js';
import { replaceNumbers, showLimits } from './sender/limits.js';
import { rememberSettings } from './sender/remember.js';
import { forgetHandedOver } from './sender/result-secrets.js';
import { SenderForm } from './sender/sender-form.js';

/** The options that a URL may propose: see web/sender/form-options.ts. */
const OPTIONS = ['kind', 'views', 'duration', 'click', 'deletable'];

/**
 * Removes everything but these options from the address bar and the history, where a secret or a passphrase must not
 * stay.
 */
function cleanUrl(): void {
  const kept = [...new URLSearchParams(location.search)].filter(([name]) => OPTIONS.includes(name));
  const query = new URLSearchParams(kept).toString();
  const search = query === '' ? '' : `?${query}`;
  if (location.search !== search) history.replaceState(history.state, '', location.pathname + search);
}

/** @param earlier the form in another language */
function setUp(form: HTMLFormElement, earlier?: SenderForm): SenderForm {
  rememberSettings(form);
  setUpEncryptionChoice(form);
  listFiles(form);
  showFieldsOfKind(form);
  showLimits(form);
  replaceNumbers(form);
  setUpPasswordGenerators(form);
  setUpHttpsOffer(form);
  form.removeAttribute('data-until-ready');
  const sender = new SenderForm(form, earlier);
  sender.listen();
  return sender;
}

enhanceForms(document);
forgetHandedOver();
const form = document.querySelector<HTMLFormElement>('form#make');
if (form) {
  cleanUrl();
  let sender = setUp(form);
  addEventListener('pageshow', () => {
    document.querySelector('form#make')?.dispatchEvent(new Event('change')); // browsers may have filled it in as it was left
  });
  changeLanguageInPlace((translated) => {
    enhanceForms(document);
    sender = setUp(translated, sender);
  });
}
