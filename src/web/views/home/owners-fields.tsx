import type { NoticeEvent } from '../../../pushes/push/notice-events.js';
import { Input, TextArea } from '../fields.js';
import { useSite } from '../site.js';
import { useTexts } from '../texts.js';
import { areNoticesChanged, Notices } from './notices.js';
import type { FormPartProps } from './entered-fields.js';

interface OwnersFieldsProps extends FormPartProps {
  /** The events that the account has chosen for all its pushes; undefined when it gets no mails. */
  notices?: NoticeEvent[];
}

/** The fields that are useful only to the signed-in owner of a push. */
export function OwnersFields({ notices, typed, errors }: OwnersFieldsProps) {
  const { email } = useSite();
  const t = useTexts();
  if (email === undefined) return <Notices typed={typed} errors={errors} />;
  const isFilledIn = Boolean(typed.name) || Boolean(typed.note) || areNoticesChanged(typed, notices);
  return (
    <details class="for-you" open={isFilledIn || errors?.notify_on !== undefined || undefined}>
      <summary>{t.text(notices ? 'home.ownerFieldsAndNotices' : 'home.ownerFields')}</summary>
      <Input
        name="name"
        field="push[name]"
        label={t.text('home.name')}
        value={typed.name}
        hint={t.text('home.nameHint')}
        autocomplete="off"
        errors={errors}
      />
      <TextArea
        name="note"
        field="push[note]"
        label={t.text('home.note')}
        rows={2}
        value={typed.note}
        errors={errors}
      />
      <p class="hint" hidden data-when-encrypting>
        {t.text('endToEnd.ownerFields')}
      </p>
      <Notices standard={notices} typed={typed} errors={errors} />
    </details>
  );
}
