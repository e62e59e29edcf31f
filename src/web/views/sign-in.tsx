import { FaultNotice, Input } from './fields.js';
import type { Faults } from './fields.js';
import { Layout } from './layout.js';
import { Link, PostForm, useSite } from './site.js';

interface SignInProps {
  email?: string;
  faults?: Faults;
  /** The path to redirect to. */
  next: string;
  notice?: string;
}

export function SignIn({ email, faults, next, notice }: SignInProps) {
  const { maySignUp } = useSite();
  return (
    <Layout title="Sign in">
      <div class="narrow">
        <h1>Sign in</h1>
        {notice !== undefined && (
          <p class="notice" role="status">
            {notice}
          </p>
        )}
        <FaultNotice faults={faults} />
        <PostForm to="/users/sign_in" class="card">
          <input type="hidden" name="next" value={next} />
          <Input name="email" label="E-mail" type="email" autocomplete="username" value={email} required />
          <Input name="password" label="Password" type="password" autocomplete="current-password" required />
          <button class="wide">Sign in</button>
        </PostForm>
        {maySignUp && (
          <p class="actions">
            <Link to="/users/sign_up">Make an account</Link>
          </p>
        )}
      </div>
    </Layout>
  );
}

export function SignUp({ email, faults }: { email?: string; faults?: Faults }) {
  return (
    <Layout title="Make an account">
      <div class="narrow">
        <h1>Make an account</h1>
        <p class="lede">To see who opened your secrets, to delete them, to send files and to use the API.</p>
        <FaultNotice faults={faults} />
        <PostForm to="/users/sign_up" class="card">
          <Input
            name="email"
            label="E-mail"
            type="email"
            autocomplete="username"
            value={email}
            required
            faults={faults}
          />
          <Input
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            hint="10 to 128 characters. A few random words are better than one clever one."
            required
            faults={faults}
          />
          <button class="wide">Make the account</button>
        </PostForm>
        <p class="actions">
          <Link to="/users/sign_in">I have one already</Link>
        </p>
      </div>
    </Layout>
  );
}
