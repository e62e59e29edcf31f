import type { User } from '../../auth/entities/user.entity.js';
import { Input } from './fields.js';
import type { FieldErrors } from './fields.js';
import { FormNotice } from './form-notice.js';
import { Layout } from './layout.js';
import { NewPassword } from './new-password.js';
import { Link, PostForm, useSite } from './site.js';
import type { TextKey } from '../../texts/en.js';
import { useTexts } from './texts.js';

/** The forms of the page, each with its own errors. */
export type AccountForm = 'email' | 'password' | 'delete';

interface AccountProps {
  user: Pick<User, 'email' | 'emailUnverified'>;
  form?: AccountForm;
  errors?: FieldErrors;
  notice?: TextKey;
}

export function Account({ user: { email, emailUnverified }, form, errors, notice }: AccountProps) {
  const { sendsMail } = useSite();
  const t = useTexts();
  const errorsOf = (which: AccountForm) => (which === form ? errors : undefined);
  return (
    <Layout title={t.text('account.title')}>
      <h1>{t.text('account.title')}</h1>
      <p class="lede">{email}</p>
      {notice !== undefined && (
        <p class="notice" role="status">
          {t.text(notice)}
        </p>
      )}
      {sendsMail && emailUnverified && <VerificationForm />}
      <EmailForm errors={errorsOf('email')} />
      <PasswordForm email={email} errors={errorsOf('password')} />
      {sendsMail && (
        <section class="card">
          <h2>{t.text('notices.title')}</h2>
          <p>
            <Link to="/users/notices">{t.text('notices.link')}</Link>
          </p>
        </section>
      )}
      <section class="card">
        <h2>{t.text('account.signOut')}</h2>
        <p>{t.text('account.signOutText')}</p>
        <PostForm to="/users/sign_out_everywhere">
          <button class="secondary">{t.text('account.signOut')}</button>
        </PostForm>
      </section>
      <DeleteForm errors={errorsOf('delete')} />
    </Layout>
  );
}

/** For an account from before mail was sent. */
function VerificationForm() {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('account.unverified')}</h2>
      <p>{t.text('account.unverifiedText')}</p>
      <PostForm to="/users/edit/verification">
        <button class="secondary">{t.text('account.unverifiedSubmit')}</button>
      </PostForm>
    </section>
  );
}

function EmailForm({ errors }: { errors?: FieldErrors }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('account.email')}</h2>
      <FormNotice errors={errors} />
      <PostForm to="/users/edit/email">
        <Input
          name="email"
          label={t.text('account.newEmail')}
          type="email"
          autocomplete="email"
          required
          errors={errors}
          autofocus={isFirstError(errors, 'email')}
        />
        <Password id="email-password" label={t.text('account.currentPassword')} errors={errors} />
        <button>{t.text('account.changeEmail')}</button>
      </PostForm>
    </section>
  );
}

function PasswordForm({ email, errors }: { email: string; errors?: FieldErrors }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('account.password')}</h2>
      <FormNotice errors={errors} />
      <PostForm to="/users/edit/password">
        <input type="hidden" autocomplete="username" value={email} />
        <Password id="password-password" label={t.text('account.currentPassword')} errors={errors} />
        <NewPassword
          name="new_password"
          label={t.text('account.newPassword')}
          hint={t.text('account.newPasswordHint')}
          errors={errors}
          autofocus={isFirstError(errors, 'new_password')}
        />
        <button>{t.text('account.changePassword')}</button>
      </PostForm>
    </section>
  );
}

function DeleteForm({ errors }: { errors?: FieldErrors }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('account.delete')}</h2>
      <p>{t.text('account.deleteText')}</p>
      <FormNotice errors={errors} />
      <details class="delete" open={errors ? true : undefined}>
        <summary>{t.text('account.delete')}</summary>
        <PostForm to="/users/edit/delete">
          <Password id="delete-password" label={t.text('account.currentPassword')} errors={errors} />
          <button class="danger">{t.text('account.deleteSubmit')}</button>
        </PostForm>
      </details>
    </section>
  );
}

/** The page comes back scrolled to the form that was rejected, with or without scripts. */
function isFirstError(errors: FieldErrors | undefined, name: string): boolean {
  return errors !== undefined && Object.keys(errors)[0] === name;
}

/** Several forms of the page have this field, so its id differs between them and its name does not. */
function Password({ id, label, errors }: { id: string; label: string; errors?: FieldErrors }) {
  return (
    <Input
      name={id}
      field="password"
      label={label}
      type="password"
      autocomplete="current-password"
      required
      errors={errors && { [id]: errors.password }}
      autofocus={isFirstError(errors, 'password')}
    />
  );
}
