import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import { NOTICE_EVENTS } from '../../pushes/push/notice-events.js';
import type { Translator } from '../../texts/translator.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Checkbox } from './fields.js';
import { Fact } from './letter.js';
import { useSite, useTexts } from './site.js';
import { DOT } from './words.js';

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

const IN_SHORT: Record<NoticeEvent, TextKey> = {
  first_view: 'notices.short.firstView',
  each_view: 'notices.short.eachView',
  failed_passphrase: 'notices.short.passphrase',
  ended_unseen: 'notices.short.unseen',
};

/** The events in a few words each. */
export function noticesInShort(events: readonly NoticeEvent[], t: Translator): string {
  return events.map((event) => t.text(IN_SHORT[event])).join(DOT);
}

/** What the owner of a push gets mails about, as one of `Facts`. */
export function NoticeFact({ events }: { events: readonly NoticeEvent[] }) {
  const { sendsMail } = useSite();
  const t = useTexts();
  if (!sendsMail || events.length === 0) return null;
  return (
    <Fact icon="bell" more={noticesInShort(events, t)}>
      {t.text('notices.toYou')}
    </Fact>
  );
}
