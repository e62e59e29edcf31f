import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import type { EndToEnd } from '../../platform/settings/settings.js';
import type { FieldErrors } from '../components/fields.js';
import { TextArea, FormErrors } from '../components/fields.js';
import type { Resend } from './resend.js';
import { Advice } from './resend.js';
import { Options } from './options.js';
import { Files, Generator, Kinds } from './kinds.js';
import { Limits } from './limits.js';
import type { EnteredFields, VisitorRules } from './form-options.js';
import { Layout } from '../components/layout.js';
import { Progress } from '../components/progress.js';
import { Form, Link, Sentence, useMenu, useSite, useTexts } from '../components/site.js';

interface HomeProps {
  rules: VisitorRules;
  /** Whether this visitor may attach files only after signing in. */
  filesNeedSignIn: boolean;
  /** Whether the browser encrypts the secret. */
  endToEnd: EndToEnd;
  /** The events that the account has chosen for all its pushes; undefined when it gets no mails. */
  notices?: NoticeEvent[];
  /** The email address of the account, if the page of a link may name it. */
  sender?: string;
  /** The path of the form with its options. */
  form: string;
  /** Hidden fields. */
  hiddenFields: EnteredFields;
  typed?: EnteredFields;
  errors?: FieldErrors;
  /** When the form can be sent again as it is. */
  resend?: Resend;
}

export function Home(props: HomeProps) {
  const {
    rules,
    filesNeedSignIn,
    endToEnd,
    notices,
    sender,
    form,
    hiddenFields,
    typed = {},
    errors,
    resend,
  } = props;
  const t = useTexts();
  const filled = { typed, errors };
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
      <FormErrors errors={errors}>
        <Advice errors={errors} resend={resend} form={form} />
      </FormErrors>
      {endToEnd === 'required' && <EncryptionUnavailable />}
      <Form
        to="/"
        encType="multipart/form-data"
        class="card"
        id="make"
        noValidate
        data-returned={errors ? '' : undefined}
        data-until-ready
      >
        <HiddenFields fields={hiddenFields} typed={typed} />
        <Kinds rules={rules} {...filled} />
        <Secret errors={errors} />
        <Limits rules={rules} {...filled} />
        <Options rules={rules} endToEnd={endToEnd} notices={notices} sender={sender} {...filled} />
        {rules.files.isEnabled && (
          <Files rules={rules.files} needSignIn={filesNeedSignIn} form={form} errors={errors} />
        )}
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

function Secret({ errors }: { errors?: FieldErrors }) {
  const t = useTexts();
  return (
    <>
      <TextArea
        name="payload"
        field="push[payload]"
        label={t.text('script.labelText')}
        rows={3}
        autofocus={!errors}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        errors={errors}
      />
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
        <label>
          <input type="radio" name="encryption" value="browser" checked={mode === 'default'} />
          <span>
            <Sentence of="endToEnd.byBrowser" b={(content) => <strong>{content}</strong>} />
          </span>
        </label>
        <label>
          <input type="radio" name="encryption" value="server" checked={mode === 'offered'} />
          <span>
            <Sentence of="endToEnd.byServer" b={(content) => <strong>{content}</strong>} />
          </span>
        </label>
      </fieldset>
    </details>
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
function HiddenFields({ fields, typed }: { fields: EnteredFields; typed: EnteredFields }) {
  const { email } = useSite();
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
