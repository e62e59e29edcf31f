import { Input } from './fields.js';
import type { FieldErrors } from './fields.js';
import { FormNotice } from './form-notice.js';
import { Layout } from './layout.js';
import { NewPassword } from './new-password.js';
import { PostForm } from './site.js';
import { useTexts } from './texts.js';

/** The form for the first administrator. The code is never shown again. */
export function Setup({ email, errors }: { email?: string; errors?: FieldErrors }) {
  const t = useTexts();
  return (
    <Layout title={t.text('setup.title')}>
      <div class="narrow">
        <h1>{t.text('setup.title')}</h1>
        <p class="lede">{t.text('setup.intro')}</p>
        <FormNotice errors={errors} />
        <PostForm to="/setup" class="card">
          <Input
            name="code"
            label={t.text('setup.code')}
            hint={t.text('setup.codeHint')}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            required
            errors={errors}
          />
          <Input
            name="email"
            label={t.text('signIn.email')}
            type="email"
            autocomplete="username"
            value={email}
            required
            errors={errors}
          />
          <NewPassword
            name="password"
            label={t.text('signIn.password')}
            hint={t.text('signUp.passwordHint')}
            errors={errors}
          />
          <button class="wide">{t.text('setup.submit')}</button>
        </PostForm>
      </div>
    </Layout>
  );
}
