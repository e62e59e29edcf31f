import { linkDigest } from '../components/message.js';
import { useForm } from '../components/filled-form.js';
import { Input } from '../components/fields.js';
import { Form, useTexts, Data, Sentence } from '../components/site.js';
import { OpenForm } from './open-form.js';

interface OpenWithCodeProps {
  urlToken: string;
  /** The email address for which this browser has asked for a code. */
  askedFor?: string;
  passphraseRequired: boolean;
  /** As in `OpenForm`. */
  isClientEncrypted?: boolean;
}

/** Asks a recipient for the email address, and then for the code that was sent to it. */
export function OpenWithCode(props: OpenWithCodeProps) {
  const { urlToken, askedFor, passphraseRequired, isClientEncrypted = false } = props;
  const t = useTexts();
  const { errors } = useForm();
  if (askedFor === undefined)
    return (
      <>
        <p class="lede">{t.text('open.introRecipients')}</p>
        <AskForCode urlToken={urlToken} isClientEncrypted={isClientEncrypted} />
      </>
    );
  return (
    <>
      <p class="lede">
        <Sentence of="open.codeSent" email={<Data>{askedFor}</Data>} />
      </p>
      <OpenForm
        urlToken={urlToken}
        codeRequired
        passphraseRequired={passphraseRequired}
        isClientEncrypted={isClientEncrypted}
      />
      <details class="fold" open={errors?.email !== undefined}>
        <summary>{t.text('open.newCode')}</summary>
        <AskForCode urlToken={urlToken} isClientEncrypted={isClientEncrypted} email={askedFor} />
      </details>
    </>
  );
}

interface AskForCodeProps {
  urlToken: string;
  /** If true, the button does nothing until a script has ensured that the key stays in the address. */
  isClientEncrypted: boolean;
  email?: string;
}

function AskForCode({ urlToken, isClientEncrypted, email }: AskForCodeProps) {
  const t = useTexts();
  return (
    <Form to={`/p/${urlToken}/code`} data-link={linkDigest(urlToken)} data-ask-code>
      <Input
        name="email"
        label={t.text('open.email')}
        type="email"
        autocomplete="email"
        value={email}
        required
      />
      <button class={email === undefined ? undefined : 'secondary'} disabled={isClientEncrypted}>
        {t.text('open.sendCode')}
      </button>
    </Form>
  );
}
