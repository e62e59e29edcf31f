import type { ComponentChildren } from 'preact';
import { errorText } from '../language/error-texts.js';
import type { FieldErrors } from './fields.js';
import { useTexts } from './texts.js';

interface FormNoticeProps {
  errors?: FieldErrors;
  /** Advice on what to do about it. */
  children?: ComponentChildren;
}

/** What is wrong with a form. It is there from the start, so that what a script writes into it is read out. */
export function FormNotice({ errors, children }: FormNoticeProps) {
  const t = useTexts();
  return (
    <div role="alert" data-notice>
      {errors && (
        <p class="notice bad">
          {errors.form?.map((problem) => errorText(problem, t)).join(' ') ?? t.text('script.invalid')}
          {children}
        </p>
      )}
    </div>
  );
}
