import type { NoticeEvent } from '../../../pushes/push/notice-events.js';
import { readNotices } from '../../../pushes/push/notice-events.js';
import { ErrorTexts } from '../fields.js';
import { NoticeBoxes } from '../notice-events.js';
import { useTexts } from '../texts.js';
import type { FormPartProps, EnteredFields } from './entered-fields.js';

const FIELD = 'push[notify_on][]';

interface NoticesProps extends FormPartProps {
  /** What the account has chosen for all its pushes; undefined when it gets no mails. */
  standard?: NoticeEvent[];
}

/** About which events of the push its owner gets mails. The hidden field says that the form has these boxes. */
export function Notices({ standard, typed, errors }: NoticesProps) {
  const t = useTexts();
  const error = errors?.notify_on && <ErrorTexts id="notify_on-error" problems={errors.notify_on} />;
  if (!standard) return error ?? null;
  return (
    <fieldset
      class="choices"
      data-field="notify_on"
      aria-describedby={errors?.notify_on && 'notify_on-error'}
    >
      <legend>{t.text('notices.when')}</legend>
      <input type="hidden" name={FIELD} value="" />
      <NoticeBoxes field={FIELD} chosen={chosenNotices(typed, standard)} />
      {error}
    </fieldset>
  );
}

/** Whether other events are chosen than the account has chosen for all its pushes. */
export function areNoticesChanged(typed: EnteredFields, standard: NoticeEvent[] | undefined): boolean {
  return standard !== undefined && String(chosenNotices(typed, standard)) !== String(standard);
}

function chosenNotices({ notify_on }: EnteredFields, standard: NoticeEvent[]): NoticeEvent[] {
  return readNotices(notify_on) ?? standard;
}
