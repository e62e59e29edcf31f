import { Problem } from '../../platform/errors/problem.js';

/** Events of a push that its owner can get a mail about, by the names of the API. */
export const NOTICE_EVENTS = ['first_view', 'each_view', 'failed_passphrase', 'ended_unseen'] as const;

export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** Several events as one number, with a bit for each: never change the order of `NOTICE_EVENTS`. */
export type NoticeBits = number;

export function noticeBits(events: readonly NoticeEvent[]): NoticeBits {
  return events.reduce((bits, event) => bits | bitOf(event), 0);
}

export function noticeEvents(bits: NoticeBits): NoticeEvent[] {
  return NOTICE_EVENTS.filter((event) => hasNotice(bits, event));
}

export function hasNotice(bits: NoticeBits, event: NoticeEvent): boolean {
  return (bits & bitOf(event)) !== 0;
}

/** What is wrong with the value of `notify_on`: a list, or a text with commas; undefined when it is valid. */
export function noticesError(value: unknown): Problem | undefined {
  return readNotices(value) ? undefined : new Problem('notices_unknown', { events: NOTICE_EVENTS });
}

/** The events in a list, or a text with commas; undefined when there is anything else. */
export function readNotices(value: unknown): NoticeEvent[] | undefined {
  if ((typeof value === 'string' || Array.isArray(value)) && value.length > MAX_TEXT) return undefined;
  const parts = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(parts)) return undefined;
  const names = parts.map((part: unknown) =>
    typeof part === 'string' && part.length <= MAX_TEXT ? part.trim() : part,
  );
  const named = names.filter((name) => name !== '');
  return named.every(isNoticeEvent) ? named : undefined;
}

/** Code units in a text that is parsed at all, and items in a list. */
const MAX_TEXT = 1000;

function isNoticeEvent(name: unknown): name is NoticeEvent {
  return (NOTICE_EVENTS as readonly unknown[]).includes(name);
}

function bitOf(event: NoticeEvent): number {
  return 1 << NOTICE_EVENTS.indexOf(event);
}
