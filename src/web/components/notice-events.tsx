import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import { NOTICE_EVENTS } from '../../pushes/push/notice-events.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Checkbox } from './fields.js';
import { useSite, useTexts } from './site.js';

const LABELS: Record<NoticeEvent, TextKey> = {
  first_view: 'notices.firstView',
  each_view: 'notices.eachView',
  failed_passphrase: 'notices.passphrase',
  ended_unseen: 'notices.unseen',
};

interface NoticeBoxesProps {
  chosen: readonly NoticeEvent[];
  /** The name of all of them in the request; without it, each has the name of its event. */
  field?: string;
}

/** The events that people can get mails about, to choose from. */
export function NoticeBoxes({ chosen, field }: NoticeBoxesProps) {
  const t = useTexts();
  return (
    <>
      {NOTICE_EVENTS.map((event) => (
        <Checkbox
          key={event}
          name={event}
          field={field}
          value={event}
          label={t.text(LABELS[event])}
          checked={chosen.includes(event)}
        />
      ))}
    </>
  );
}

interface NoticeListProps {
  events: readonly NoticeEvent[];
  /** The element around it. */
  of: 'div' | 'li';
}

/** What the owner of a push gets mails about. */
export function NoticeList({ events, of: Element }: NoticeListProps) {
  const { sendsMail } = useSite();
  const t = useTexts();
  if (!sendsMail || events.length === 0) return null;
  return (
    <Element class="notices">
      {t.text('notices.when')}
      <ul>
        {events.map((event) => (
          <li key={event}>{t.text(LABELS[event])}</li>
        ))}
      </ul>
    </Element>
  );
}
