import type { Problem } from '../../errors/problem.js';
import { Failure } from './message.js';
import type { Resend } from './resend.js';
import { ResendAdvice } from './resend.js';
import { useTexts } from './texts.js';

interface NotSentProps {
  status: number;
  problem: Problem | string;
  resend: Resend | undefined;
}

/** The error of a form that was not read, so that it cannot be shown again. */
export function NotSent({ status, problem, resend }: NotSentProps) {
  return (
    <Failure status={status} problem={problem}>
      {resend !== undefined && (
        <p>
          <ResendAdvice resend={resend} /> {useTexts().text('resend.back')}
        </p>
      )}
    </Failure>
  );
}
