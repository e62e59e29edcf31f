import { Input, ShowField } from '../components/fields.js';
import { linkDigest } from '../components/message.js';
import { Form, useTexts } from '../components/site.js';

/** Password managers would offer to save a passphrase, which is not a password of this site. */
const NOT_SAVED = {
  autocomplete: 'off',
  'data-1p-ignore': '',
  'data-bwignore': '',
  'data-lpignore': 'true',
};

interface OpenFormProps {
  urlToken: string;
  passphraseRequired: boolean;
  codeRequired?: boolean;
  /**
   * If true, a script computes the passphrase that is sent, and shows the field if the link says that it is needed. Until
   * then the button does nothing: sending the form without the script would lose the key in the address.
   */
  isClientEncrypted?: boolean;
  /** Whether a script may send it by itself, when the page is shown for the first time. */
  isSentByItself?: boolean;
  /** Whether opening it uses no view. */
  isFree?: boolean;
}

/** The form that opens a push. A script says in place why it was not opened, and shows the button of a second view. */
export function OpenForm(props: OpenFormProps) {
  const { urlToken, passphraseRequired, isClientEncrypted = false, isSentByItself = false } = props;
  const { codeRequired = false, isFree = false } = props;
  const t = useTexts();
  return (
    <Form
      to={`/p/${urlToken}`}
      id="open"
      data-link={linkDigest(urlToken)}
      data-sent-by-itself={isSentByItself ? (isFree ? 'when visible' : 'when a person acts') : undefined}
    >
      {codeRequired && <Code />}
      {passphraseRequired && <Passphrase isClientEncrypted={isClientEncrypted} />}
      {isClientEncrypted && <p class="hint" id="open-status" role="status" />}
      <p class="error" id="open-error" role="alert" />
      <button disabled={isClientEncrypted}>
        {isFree ? (
          t.text('open.submit')
        ) : (
          <>
            <span data-when="first sent">{t.text('open.submit')}</span>
            <span data-when="opened last deleted" hidden>
              {t.text('open.again')}
            </span>
          </>
        )}
      </button>
    </Form>
  );
}

function Code() {
  return (
    <Input
      name="code"
      label={useTexts().text('open.code')}
      inputMode="numeric"
      autocomplete="one-time-code"
      required
    />
  );
}

function Passphrase({ isClientEncrypted }: { isClientEncrypted: boolean }) {
  const t = useTexts();
  return (
    <div hidden={isClientEncrypted} data-passphrase>
      <Input
        name="passphrase"
        label={t.text('open.passphrase')}
        hint={isClientEncrypted ? t.text('endToEnd.passphraseHint') : undefined}
        type="password"
        {...NOT_SAVED}
        required={!isClientEncrypted}
      />
      <p class="tools">
        <ShowField field="passphrase" />
      </p>
    </div>
  );
}
