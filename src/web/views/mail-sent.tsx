import type { TextKey } from '../../texts/en.js';
import { Layout } from './layout.js';
import { Link } from './site.js';
import { useTexts } from './texts.js';

/** What follows a request for a mail: the same whoever has an account. */
export function MailSent({ of, email }: { of: TextKey; email: string }) {
  const t = useTexts();
  return (
    <Layout title={t.text('mailSent.title')}>
      <div class="narrow message">
        <h1>{t.text('mailSent.title')}</h1>
        <p>{t.text(of, { email })}</p>
        <p>{t.text('mailSent.none')}</p>
        <p class="actions">
          <Link to="/users/sign_in">{t.text('forgotten.signIn')}</Link>
        </p>
      </div>
    </Layout>
  );
}
