import { SignInLink } from './sign-in-link.js';
import { Sentence, useTexts } from './texts.js';

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
