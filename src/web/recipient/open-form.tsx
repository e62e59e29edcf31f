import { Button } from '../components/button.js';
import { Input, ShowField } from '../components/fields.js';
import { ErrorPlace, StatusPlace } from '../components/status.js';
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
  /** Whether the page advises against it. */
  isSecondary?: boolean;
}

/** The form that opens a push. A script says in place why it was not opened, and shows the button of a second view. */
export function OpenForm(props: OpenFormProps) {
  const { urlToken, passphraseRequired, isClientEncrypted = false, isSentByItself = false } = props;
  const { codeRequired = false, isFree = false, isSecondary = false } = props;
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
      <Button look={isSecondary ? 'secondary' : 'primary'} size="large" isWide disabled={isClientEncrypted}>
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
      </Button>
      {isClientEncrypted && <StatusPlace id="open-status" />}
      <ErrorPlace id="open-error" />
    </Form>
  );
}

function Code() {
  const t = useTexts();
  return (
    <Input
      name="code"
      label={t.text('open.code')}
      hint={t.text('open.codeHint')}
      inputMode="numeric"
      autocomplete="one-time-code"
      isShortCode
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
        hint={t.text('open.passphraseHint')}
        type="password"
        {...NOT_SAVED}
        required={!isClientEncrypted}
        tools={<ShowField field="passphrase" />}
      />
    </div>
  );
}
