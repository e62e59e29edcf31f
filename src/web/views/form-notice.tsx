import type { ComponentChildren } from 'preact';
import { faultText } from '../texts/fault-texts.js';
import type { Faults } from './fields.js';
import { useTexts } from './texts.js';

interface FormNoticeProps {
  faults?: Faults;
  /** What to do about it. */
  children?: ComponentChildren;
}

/** What is wrong with a form. It is there from the start, so that what a script writes into it is read out. */
export function FormNotice({ faults, children }: FormNoticeProps) {
  const t = useTexts();
  return (
    <div role="alert" data-notice>
      {faults && (
        <p class="notice bad">
          {faults.form?.map((message) => faultText(message, t)).join(' ') ?? t.text('script.invalid')}
          {children}
        </p>
      )}
    </div>
  );
}
