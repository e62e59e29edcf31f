import { Input } from './fields.js';
import type { Faults } from './fields.js';
import { FormNotice } from './form-notice.js';
import { Layout } from './layout.js';
import { NewPassword } from './new-password.js';
import { PostForm } from './site.js';
import type { TextKey } from '../texts/en.js';
import { useTexts } from './texts.js';

/** The forms of the page, each with its own errors. */
export type AccountForm = 'email' | 'password' | 'delete';

interface AccountProps {
  email: string;
  form?: AccountForm;
  faults?: Faults;
  notice?: TextKey;
}

export function Account({ email, form, faults, notice }: AccountProps) {
  const t = useTexts();
  const faultsOf = (which: AccountForm) => (which === form ? faults : undefined);
  return (
    <Layout title={t.text('account.title')}>
      <h1>{t.text('account.title')}</h1>
      <p class="lede">{email}</p>
      {notice !== undefined && (
        <p class="notice" role="status">
          {t.text(notice)}
        </p>
      )}
      <EmailForm faults={faultsOf('email')} />
      <PasswordForm email={email} faults={faultsOf('password')} />
      <section class="card">
        <h2>{t.text('account.signOut')}</h2>
        <p>{t.text('account.signOutText')}</p>
        <PostForm to="/users/sign_out_everywhere">
          <button class="secondary">{t.text('account.signOut')}</button>
        </PostForm>
      </section>
      <DeleteForm faults={faultsOf('delete')} />
    </Layout>
  );
}

function EmailForm({ faults }: { faults?: Faults }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('account.email')}</h2>
      <FormNotice faults={faults} />
      <PostForm to="/users/edit/email">
        <Input
          name="email"
          label={t.text('account.newEmail')}
          type="email"
          autocomplete="email"
          required
          faults={faults}
          autofocus={isFirstFault(faults, 'email')}
        />
        <Password id="email-password" label={t.text('account.currentPassword')} faults={faults} />
        <button>{t.text('account.changeEmail')}</button>
      </PostForm>
    </section>
  );
}

function PasswordForm({ email, faults }: { email: string; faults?: Faults }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('account.password')}</h2>
      <FormNotice faults={faults} />
      <PostForm to="/users/edit/password">
        <input type="hidden" autocomplete="username" value={email} />
        <Password id="password-password" label={t.text('account.currentPassword')} faults={faults} />
        <NewPassword
          name="new_password"
          label={t.text('account.newPassword')}
          hint={t.text('account.newPasswordHint')}
          faults={faults}
          autofocus={isFirstFault(faults, 'new_password')}
        />
        <button>{t.text('account.changePassword')}</button>
      </PostForm>
    </section>
  );
}

function DeleteForm({ faults }: { faults?: Faults }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('account.delete')}</h2>
      <p>{t.text('account.deleteText')}</p>
      <FormNotice faults={faults} />
      <details class="delete" open={faults ? true : undefined}>
        <summary>{t.text('account.delete')}</summary>
        <PostForm to="/users/edit/delete">
          <Password id="delete-password" label={t.text('account.currentPassword')} faults={faults} />
          <button class="danger">{t.text('account.deleteSubmit')}</button>
        </PostForm>
      </details>
    </section>
  );
}

/** The page comes back scrolled to the form that was refused, with or without scripts. */
function isFirstFault(faults: Faults | undefined, name: string): boolean {
  return faults !== undefined && Object.keys(faults)[0] === name;
}

/** Several forms of the page have this field, so its id differs between them and its name does not. */
function Password({ id, label, faults }: { id: string; label: string; faults?: Faults }) {
  return (
    <Input
      name={id}
      field="password"
      label={label}
      type="password"
      autocomplete="current-password"
      required
      faults={faults && { [id]: faults.password }}
      autofocus={isFirstFault(faults, 'password')}
    />
  );
}
