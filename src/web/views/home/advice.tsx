import type { FieldErrors } from '../fields.js';
import type { Resend } from '../resend.js';
import { ResendAdvice } from '../resend.js';
import { useSite } from '../site.js';
import { useTexts } from '../texts.js';
import { Problem } from '../../../errors/problem.js';

interface AdviceProps {
  errors?: FieldErrors;
  resend?: Resend;
  /** The path of the form with its options. */
  form: string;
}

/** What the sender can do about the error of the whole form. */
export function Advice({ errors, resend, form }: AdviceProps) {
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
  if (email !== undefined) return <>{t.text('home.nowOwner', { email })}</>;
  return (
    <>
      <ResendAdvice resend="signing in" form={form} /> {t.text('home.nowNobody')}
    </>
  );
}
