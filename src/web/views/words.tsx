import type { PushDto } from '../../pushes/push.dto.js';
import type { PushKind } from '../../pushes/push-kind.js';

/** In the order in which the form offers them. */
export const KIND_NAMES: Record<PushKind, string> = {
  text: 'Text',
  url: 'Link',
  qr: 'QR code',
  file: 'Files',
};

export const KINDS = Object.keys(KIND_NAMES) as PushKind[];

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** A time in UTC; a script converts it to the reader's own time zone. */
export function Time({ at }: { at: Date | string }) {
  const date = new Date(at);
  return <time dateTime={date.toISOString()}>{`${TIME.format(date)} UTC`}</time>;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** What remains of a push that has not ended. */
export function remains({ views_remaining: views, days_remaining: days }: PushDto): string {
  return `${count(views, 'view')} or ${count(days, 'day')}`;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'];

export function fileSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const number = bytes / 1024 ** power;
  return `${number < 10 && power > 0 ? Number(number.toFixed(1)) : Math.round(number)} ${UNITS[power] ?? ''}`;
}
