import { Button, SummaryButton } from '../components/button.js';
import { linkDigest } from '../components/message.js';
import { useForm } from '../components/filled-form.js';
import { Input } from '../components/fields.js';
import { Form, useTexts } from '../components/site.js';
import { OpenForm } from './open-form.js';

interface OpenWithCodeProps {
  urlToken: string;
  /** The email address for which this browser has asked for a code. */
  askedFor?: string;
  passphraseRequired: boolean;
  /** As in `OpenForm`. */
  isClientEncrypted?: boolean;
  isSecondary?: boolean;
}

/** Asks a recipient for the email address, and then for the code that was sent to it. */
export function OpenWithCode(props: OpenWithCodeProps) {
  const { askedFor, passphraseRequired, ...form } = props;
  const t = useTexts();
  const { errors } = useForm();
  if (askedFor === undefined) return <AskForCode {...form} />;
  return (
    <>
      <OpenForm codeRequired passphraseRequired={passphraseRequired} {...form} />
      <details class="gap-sm" open={errors?.email !== undefined}>
        <SummaryButton look="quiet" isWide>
          {t.text('open.newCode')}
        </SummaryButton>
        <AskForCode {...form} email={askedFor} isSecondary />
      </details>
    </>
  );
}

interface AskForCodeProps {
  urlToken: string;
  /** If true, the button does nothing until a script has ensured that the key stays in the address. */
  isClientEncrypted?: boolean;
  isSecondary?: boolean;
  /** That a code was asked for already. */
  email?: string;
}

function AskForCode({ urlToken, isClientEncrypted, isSecondary, email }: AskForCodeProps) {
  const t = useTexts();
  return (
    <Form to={`/p/${urlToken}/code`} data-link={linkDigest(urlToken)} data-ask-code>
      <Input
        name="email"
        label={t.text('open.email')}
        hint={t.text('open.emailHint')}
        type="email"
        autocomplete="email"
        value={email}
        required
      />
      <Button look={isSecondary ? 'secondary' : 'primary'} size="large" isWide disabled={isClientEncrypted}>
        {t.text('open.sendCode')}
      </Button>
    </Form>
  );
}
