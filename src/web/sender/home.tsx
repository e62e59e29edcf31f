import type { EndToEnd } from '../../platform/settings/settings.js';
import type { FormFields } from '../components/filled-form.js';
import { useForm } from '../components/filled-form.js';
import { FormErrors } from '../components/fields.js';
import type { Resend } from './resend.js';
import { Advice } from './resend.js';
import type { OptionsProps } from './options.js';
import { Options } from './options.js';
import { Files, Generator, Kinds, SecretInput } from './kinds.js';
import { Limits } from './limits.js';
import { Layout } from '../components/layout.js';
import { Progress } from '../components/progress.js';
import { Form, Link, Sentence, useMenu, useSite, useTexts } from '../components/site.js';

interface HomeProps extends OptionsProps {
  /** Whether this visitor may attach files only after signing in. */
  filesNeedSignIn: boolean;
  /** The path of the form with its options. */
  form: string;
  /** Hidden fields. */
  hiddenFields: FormFields;
  /** When the form can be sent again as it is. */
  resend?: Resend;
}

export function Home(props: HomeProps) {
  const { filesNeedSignIn, form, hiddenFields, resend, ...options } = props;
  const { rules, endToEnd } = options;
  const t = useTexts();
  const { errors } = useForm();
  return (
    <Layout title={t.text('home.title')} script="home">
      <div class="heading">
        <h1>{t.text('home.title')}</h1>
        {useMenu('home').map(({ to, text }) => (
          <Link key={to} to={to}>
            {t.text(text)}
          </Link>
        ))}
      </div>
      <FormErrors>
        <Advice resend={resend} form={form} />
      </FormErrors>
      {endToEnd === 'required' && <EncryptionUnavailable />}
      <Form
        to="/"
        under="push"
        encType="multipart/form-data"
        class="card"
        id="make"
        noValidate
        data-returned={errors ? '' : undefined}
        data-until-ready
      >
        <HiddenFields fields={hiddenFields} />
        <Kinds rules={rules} />
        <Secret />
        <Limits rules={rules} />
        <Options {...options} />
        {rules.files.isEnabled && <Files rules={rules.files} needSignIn={filesNeedSignIn} form={form} />}
        <button class="wide" disabled={endToEnd === 'required'}>
          {t.text('home.submit')}
        </button>
        <Encryption mode={endToEnd} />
        {rules.files.isEnabled && filesNeedSignIn && <SignInFirst />}
        <Progress label={t.text('home.sending')} id="progress" />
      </Form>
    </Layout>
  );
}

/**
 * Signing in without a script, which leaves the page. Placed after the button that submits the form, because the Enter
 * key presses the first button.
 */
function SignInFirst() {
  const { base } = useSite();
  const t = useTexts();
  return (
    <noscript>
      <button class="secondary wide" formAction={`${base}/users/sign_in_first`}>
        {t.text('home.signInFirst')}
      </button>
      <p class="hint">{t.text('home.signInFirstHint')}</p>
    </noscript>
  );
}

function Secret() {
  const t = useTexts();
  return (
    <>
      <SecretInput label={t.text('script.labelText')} rows={3} />
      <p class="offer" role="status" hidden data-https />
      <Generator field="payload" label={t.text('home.generate')} />
    </>
  );
}

/** Who encrypts the secret: the browser needs a script for it, which shows this. */
function Encryption({ mode }: { mode: EndToEnd }) {
  const t = useTexts();
  if (mode === 'off') return null;
  if (mode === 'required') {
    return (
      <p class="encryption quiet" hidden data-encryption={mode}>
        {t.text('endToEnd.factByBrowser')}
      </p>
    );
  }
  return (
    <details class="encryption" hidden data-encryption={mode}>
      <summary>
        <span data-when-encrypting>{t.text('endToEnd.inBrowser')}</span>
        <span data-unless-encrypting>{t.text('endToEnd.onServer')}</span>
      </summary>
      <fieldset class="choices" disabled>
        <legend class="visually-hidden">{t.text('endToEnd.choice')}</legend>
        <Encrypted by="browser" isChosen={mode === 'default'} of="endToEnd.byBrowser" />
        <Encrypted by="server" isChosen={mode === 'offered'} of="endToEnd.byServer" />
      </fieldset>
    </details>
  );
}

interface EncryptedProps {
  by: 'browser' | 'own' | 'server';
  isChosen: boolean;
  of:
    | 'endToEnd.byBrowser'
    | 'endToEnd.byServer'
    | 'request.byBrowser'
    | 'request.byOwnKey'
    | 'request.byServer';
  /** What a script says when it is chosen. */
  label?: string;
}

/** A choice of who encrypts. */
export function Encrypted({ by, isChosen, of, label }: EncryptedProps) {
  return (
    <label>
      <input type="radio" name="encryption" value={by} checked={isChosen} />
      <span data-label={label}>
        <Sentence of={of} b={(content) => <strong>{content}</strong>} />
      </span>
    </label>
  );
}

/** Why the form cannot be used where the browser has to encrypt and is not able to. */
function EncryptionUnavailable() {
  const t = useTexts();
  return (
    <>
      <noscript>
        <p class="alert bad">{t.text('endToEnd.needsScript')}</p>
      </noscript>
      <p class="alert bad" hidden data-encryption-unavailable>
        {t.text('endToEnd.needsHttps')}
      </p>
    </>
  );
}

/** The hidden fields of the form: what it was shown with, and what it keeps for a visitor who signs in again. */
function HiddenFields({ fields }: { fields: FormFields }) {
  const { email } = useSite();
  const { typed } = useForm();
  const { passphrase_was_set, account_before, name, note } = typed;
  const notify_on = account_before && typed.notify_on; // the choice of an account, which nobody else may send
  const ofOwner = email === undefined && { name, note, notify_on };
  const kept = { ...fields, passphrase_was_set, account_before, ...ofOwner };
  return (
    <>
      {Object.entries(kept).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={`push[${name}]`} value={value} />,
      )}
    </>
  );
}
