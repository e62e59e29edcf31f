import { Layout } from './layout.js';
import { Link } from './site.js';
import { Sentence, useTexts } from './texts.js';

/** Where signing in for a form in another tab ends. */
export function SignedInForForm({ form }: { form: string }) {
  const t = useTexts();
  return (
    <Layout title={t.text('signedIn.title')}>
      <div class="narrow message">
        <h1>{t.text('signedIn.title')}</h1>
        <p>{t.text('signedIn.text')}</p>
        <p>
          <Sentence of="signedIn.form" link={(label) => <Link to={form}>{label}</Link>} />
        </p>
      </div>
    </Layout>
  );
}
