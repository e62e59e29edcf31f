import type { FieldErrors } from './fields.js';
import { Input } from './fields.js';
import { FormNotice } from './form-notice.js';
import { Layout } from './layout.js';
import { Link, PostForm } from './site.js';
import { useTexts } from './texts.js';

/** Asks for the email address to which a link for a new password is sent. */
export function ForgottenPassword({ email, errors }: { email?: string; errors?: FieldErrors }) {
  const t = useTexts();
  return (
    <Layout title={t.text('forgotten.title')}>
      <div class="narrow">
        <h1>{t.text('forgotten.title')}</h1>
        <p class="lede">{t.text('forgotten.intro')}</p>
        <FormNotice errors={errors} />
        <PostForm to="/users/password" class="card">
          <Input
            name="email"
            label={t.text('signIn.email')}
            type="email"
            autocomplete="username"
            value={email}
            required
            errors={errors}
          />
          <button class="wide">{t.text('forgotten.submit')}</button>
        </PostForm>
        <p class="actions">
          <Link to="/users/sign_in">{t.text('forgotten.signIn')}</Link>
        </p>
      </div>
    </Layout>
  );
}
