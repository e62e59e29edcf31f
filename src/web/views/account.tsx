import { FaultNotice, Input } from './fields.js';
import type { Faults } from './fields.js';
import { Layout } from './layout.js';
import { PostForm } from './site.js';

/** The forms of the page, each with its own errors. */
export type AccountForm = 'email' | 'password' | 'delete';

interface AccountProps {
  email: string;
  form?: AccountForm;
  faults?: Faults;
  notice?: string;
}

export function Account({ email, form, faults, notice }: AccountProps) {
  const faultsOf = (which: AccountForm) => (which === form ? faults : undefined);
  return (
    <Layout title="Your account">
      <h1>Your account</h1>
      <p class="lede">{email}</p>
      {notice !== undefined && (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      <EmailForm faults={faultsOf('email')} />
      <PasswordForm email={email} faults={faultsOf('password')} />
      <section class="card">
        <h2>Sign out everywhere</h2>
        <p>On this and every other browser that is signed in. API tokens go on working.</p>
        <PostForm to="/users/sign_out_everywhere">
          <button class="secondary">Sign out everywhere</button>
        </PostForm>
      </section>
      <DeleteForm faults={faultsOf('delete')} />
    </Layout>
  );
}

function EmailForm({ faults }: { faults?: Faults }) {
  return (
    <section class="card">
      <h2>E-mail</h2>
      <FaultNotice faults={faults} />
      <PostForm to="/users/edit/email">
        <Input name="email" label="New e-mail" type="email" autocomplete="email" required faults={faults} />
        <Password id="email-password" label="Your password" faults={faults} />
        <button>Change the e-mail</button>
      </PostForm>
    </section>
  );
}

function PasswordForm({ email, faults }: { email: string; faults?: Faults }) {
  return (
    <section class="card">
      <h2>Password</h2>
      <FaultNotice faults={faults} />
      <PostForm to="/users/edit/password">
        <input type="hidden" autocomplete="username" value={email} />
        <Password id="password-password" label="Your password now" faults={faults} />
        <Input
          name="new_password"
          label="New password"
          type="password"
          autocomplete="new-password"
          hint="10 to 128 characters. Changing it signs you out everywhere else."
          required
          faults={faults}
        />
        <button>Change the password</button>
      </PostForm>
    </section>
  );
}

function DeleteForm({ faults }: { faults?: Faults }) {
  return (
    <section class="card">
      <h2>Delete the account</h2>
      <p>With every push, file, audit log and token in it, at once and for good.</p>
      <FaultNotice faults={faults} />
      <details class="delete" open={faults ? true : undefined}>
        <summary>Delete the account</summary>
        <PostForm to="/users/edit/delete">
          <Password id="delete-password" label="Your password, to be sure" faults={faults} />
          <button class="danger">Delete everything</button>
        </PostForm>
      </details>
    </section>
  );
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
    />
  );
}
