import type { ComponentChildren } from 'preact';
import { Link } from './site.js';

interface SignInLinkProps {
  /** The path of the form with its options. */
  form?: string;
  children: ComponentChildren;
}

/** Leads to the sign-in page in another tab, so that this page keeps what was typed. */
export function SignInLink({ form = '/', children }: SignInLinkProps) {
  const next = `/users/signed_in${form.slice(1)}`;
  return (
    <Link to={`/users/sign_in?next=${encodeURIComponent(next)}`} target="_blank" rel="noopener">
      {children}
    </Link>
  );
}
