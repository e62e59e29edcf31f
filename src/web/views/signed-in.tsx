import { Message } from './message.js';
import { Link } from './site.js';
import { Sentence, useTexts } from './texts.js';

/** Where signing in for a form in another tab ends. */
export function SignedInForForm({ form }: { form: string }) {
  const t = useTexts();
  return (
    <Message title={t.text('signedIn.title')}>
      <p>{t.text('signedIn.text')}</p>
      <p>
        <Sentence of="signedIn.form" link={(label) => <Link to={form}>{label}</Link>} />
      </p>
    </Message>
  );
}
