import type { ComponentChildren } from 'preact';
import { Sentence, useTexts, Link, useSite, Data } from '../components/site.js';
import { useForm } from '../components/filled-form.js';
import { withNext } from '../pages/paths.js';
import { Problem } from '../../platform/errors/problem.js';

/** After how many seconds a form may be sent again as it is (0 if unknown), or that the visitor must sign in first. */
export type Resend = number | 'signing in';

interface ResendProps {
  resend: Resend;
  /** See SignInLink. */
  form?: string;
}

/** How to send a form again with all that was typed: when this page is reloaded, the browser repeats its request. */
export function ResendAdvice({ resend, form }: ResendProps) {
  const t = useTexts();
  if (resend === 0) return <>{t.text('resend.later')}</>;
  if (resend !== 'signing in') return <>{t.text('resend.after', { time: t.duration(resend) })}</>;
  return <Sentence of="resend.signedIn" link={(label) => <SignInLink form={form}>{label}</SignInLink>} />;
}

interface SignInLinkProps {
  /** The path of the form with its options. */
  form?: string;
  children: ComponentChildren;
}

/** Leads to the sign-in page in another tab, so that this page keeps what was typed. */
function SignInLink({ form = '/', children }: SignInLinkProps) {
  const next = `/users/signed_in${form.slice(1)}`;
  return (
    <Link to={withNext('/users/sign_in', next)} target="_blank" rel="noopener">
      {children}
    </Link>
  );
}

interface AdviceProps {
  resend?: Resend;
  /** The path of the form with its options. */
  form: string;
}

/** What the sender can do about the error of the whole form. */
export function Advice({ resend, form }: AdviceProps) {
  const { errors } = useForm();
  return (
    <>
      {' '}
      {errors?.form?.some((problem) => problem instanceof Problem && problem.code === 'owner_changed') && (
        <CurrentOwnerNote form={form} />
      )}
      {resend !== undefined && <ResendAdvice resend={resend} form={form} />}
    </>
  );
}

/** Whose the link becomes if the form is sent again. */
function CurrentOwnerNote({ form }: { form: string }) {
  const { email } = useSite();
  const t = useTexts();
  if (email !== undefined) return <Sentence of="home.nowOwner" email={<Data>{email}</Data>} />;
  return (
    <>
      <ResendAdvice resend="signing in" form={form} /> {t.text('home.nowNobody')}
    </>
  );
}
