import type { FieldErrors } from './fields.js';
import { FormNotice } from './form-notice.js';
import { Layout } from './layout.js';
import { PostForm, useSite } from './site.js';
import { useTexts } from './texts.js';

interface VerifyEmailProps {
  /** The email address that the link was sent to. */
  email: string;
  /** The email address of the account. */
  current: string;
  errors?: FieldErrors;
}

/** The page of a link by which the owner of an account verifies an email address. */
export function VerifyEmail({ email, current, errors }: VerifyEmailProps) {
  const { path } = useSite();
  const t = useTexts();
  const isOwn = email === current;
  return (
    <Layout title={t.text('verifyEmail.title')}>
      <div class="narrow">
        <h1>{t.text('verifyEmail.title')}</h1>
        <p class="lede">{t.text(isOwn ? 'verifyEmail.own' : 'verifyEmail.text', { email, current })}</p>
        <FormNotice errors={errors} />
        <PostForm to={path} class="card">
          <button class="wide">{t.text('verifyEmail.submit')}</button>
        </PostForm>
      </div>
    </Layout>
  );
}
