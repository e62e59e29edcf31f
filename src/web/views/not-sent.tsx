import { Failure } from './message.js';
import type { Resend } from './resend.js';
import { ResendAdvice } from './resend.js';
import { useTexts } from './texts.js';

interface NotSentProps {
  status: number;
  message: string;
  resend: Resend | undefined;
}

/** The error of a form that was not read, so that it cannot be shown again. */
export function NotSent({ status, message, resend }: NotSentProps) {
  return (
    <Failure status={status} message={message}>
      {resend !== undefined && (
        <p>
          <ResendAdvice resend={resend} /> {useTexts().text('resend.back')}
        </p>
      )}
    </Failure>
  );
}
