import { Input } from './fields.js';
import type { FieldErrors } from './fields.js';
import { FormNotice } from './form-notice.js';
import { Layout } from './layout.js';
import { NewPassword } from './new-password.js';
import { Link, PostForm, useSite } from './site.js';
import type { TextKey } from '../../texts/en.js';
import { Sentence, useTexts } from './texts.js';

interface SignInProps {
  email?: string;
  errors?: FieldErrors;
  /** The path to redirect to. */
  next: string;
  notice?: TextKey;
}

export function SignIn({ email, errors, next, notice }: SignInProps) {
  const { maySignUp } = useSite();
  const t = useTexts();
  return (
    <Layout title={t.text('signIn.title')}>
      <div class="narrow">
        <h1>{t.text('signIn.title')}</h1>
        {notice !== undefined && (
          <p class="notice" role="status">
            {t.text(notice)}
          </p>
        )}
        <FormNotice errors={errors} />
        <PostForm to="/users/sign_in" class="card">
          <input type="hidden" name="next" value={next} />
          <Input
            name="email"
            label={t.text('signIn.email')}
            type="email"
            autocomplete="username"
            value={email}
            required
          />
          <Input
            name="password"
            label={t.text('signIn.password')}
            type="password"
            autocomplete="current-password"
            required
          />
          <button class="wide">{t.text('signIn.submit')}</button>
        </PostForm>
        <ForgottenPassword />
        {maySignUp && (
          <p class="actions">
            <Link to="/users/sign_up">{t.text('signIn.signUp')}</Link>
          </p>
        )}
      </div>
    </Layout>
  );
}

/** Advice for a forgotten password. Where no mail is sent, only the operator can reset it: docs/operating.md, Accounts. */
function ForgottenPassword() {
  const {
    sendsMail,
    brand: { contact },
  } = useSite();
  if (sendsMail) {
    return (
      <p class="actions">
        <Link to="/users/password">{useTexts().text('signIn.forgot')}</Link>
      </p>
    );
  }
  if (contact === undefined) return <p class="quiet">{useTexts().text('signIn.forgotten')}</p>;
  return (
    <p class="quiet">
      <Sentence of="signIn.forgottenContact" link={(label) => <a href={contact}>{label}</a>} />
    </p>
  );
}

/** Where mail is sent, the password is chosen with a link. */
export function SignUp({ email, errors }: { email?: string; errors?: FieldErrors }) {
  const { sendsMail } = useSite();
  const t = useTexts();
  return (
    <Layout title={t.text('signUp.title')}>
      <div class="narrow">
        <h1>{t.text('signUp.title')}</h1>
        <p class="lede">{t.text('signUp.intro')}</p>
        <FormNotice errors={errors} />
        <PostForm to={sendsMail ? '/users/sign_up_link' : '/users/sign_up'} class="card">
          <Input
            name="email"
            label={t.text('signIn.email')}
            type="email"
            autocomplete="username"
            value={email}
            required
            errors={errors}
            hint={sendsMail ? t.text('signUp.mailIntro') : undefined}
          />
          {!sendsMail && (
            <NewPassword
              name="password"
              label={t.text('signIn.password')}
              hint={t.text('signUp.passwordHint')}
              errors={errors}
            />
          )}
          <button class="wide">{t.text(sendsMail ? 'signUp.mailSubmit' : 'signUp.submit')}</button>
        </PostForm>
        <p class="actions">
          <Link to="/users/sign_in">{t.text('signUp.signIn')}</Link>
        </p>
      </div>
    </Layout>
  );
}
