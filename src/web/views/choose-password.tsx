import type { FieldErrors } from './fields.js';
import { FormNotice } from './form-notice.js';
import { Layout } from './layout.js';
import { NewPassword } from './new-password.js';
import { PostForm, useSite } from './site.js';
import { useTexts } from './texts.js';

/** The page of a link by which a person sets the password of their account. */
export function ChoosePassword({ email, errors }: { email: string; errors?: FieldErrors }) {
  const { path } = useSite();
  const t = useTexts();
  return (
    <Layout title={t.text('choosePassword.title')} isForRecipient>
      <div class="narrow">
        <h1>{t.text('choosePassword.title')}</h1>
        <p class="lede">{t.text('choosePassword.intro', { email })}</p>
        <FormNotice errors={errors} />
        <PostForm to={path} class="card">
          <input type="hidden" autocomplete="username" value={email} />
          <NewPassword
            name="new_password"
            label={t.text('account.newPassword')}
            hint={t.text('signUp.passwordHint')}
            errors={errors}
          />
          <button class="wide">{t.text('choosePassword.submit')}</button>
        </PostForm>
      </div>
    </Layout>
  );
}
