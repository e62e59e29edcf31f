import type { PushKind } from '../../shared/push-kind.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import type { TextKeyFor } from '../../texts/translator.js';
import type { TimeFormat } from '../../texts/times.js';
import { Banner } from './banner.js';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import { Sentence, useTexts, Data } from './site.js';

/** The kinds, in the order in which the form offers them. */
export const KINDS: readonly PushKind[] = ['text', 'file', 'url', 'qr'];

/** The icon of each kind. */
export const KIND_ICONS = { text: 'text', file: 'files', url: 'link', qr: 'qr' } as const satisfies Record<
  PushKind,
  IconName
>;

/** Between the parts of a line, of which it begins none. */
export const DOT = '\u00a0· ';

interface TimeProps {
  at: Date | string;
  format?: TimeFormat;
}

/** A time in UTC; a script converts it to the reader's own time zone. */
export function Time({ at, format }: TimeProps) {
  const date = new Date(at);
  const t = useTexts();
  return (
    <time dateTime={date.toISOString()} data-format={format} title={format && t.time(date)}>
      {t.time(date, format)}
    </time>
  );
}

interface TextWithTimeProps extends TimeProps {
  of: TextKeyFor<{ time: string }>;
}

/** A text with a time in it. */
export function TextWithTime({ of, ...time }: TextWithTimeProps) {
  return <Sentence of={of} time={<Time {...time} />} />;
}

/** The values for a text with a number of rows that are counted only as far as the pages of a list go. */
export function listedCount(count: number) {
  return { count: Math.min(count, ListPage.MAX_ROWS), isMore: count > ListPage.MAX_ROWS ? 'yes' : 'no' };
}

/** Says what end-to-end encryption means for recipients. A script hides it if the key was sent to the server. */
export function EndToEndSign({
  of,
}: {
  of: 'endToEnd.meaning' | 'endToEnd.decrypted' | 'request.encrypted';
}) {
  return (
    <p data-unless-repaired>
      <Icon name="shield" size="small" class="inline" /> {useTexts().text(of)}
    </p>
  );
}

/** Says which files were missing where a push was imported from; without their names if those cannot be read. */
export function MissingFiles({ count, names }: { count: number; names: string[] }) {
  const t = useTexts();
  if (count === 0) return null;
  return (
    <Banner kind="failure" data-missing-files>
      <p>{t.text('secret.missingFiles', { count })}</p>
      {names.length > 0 && (
        <ul>
          {names.map((name, index) => (
            <li key={`${index} ${name}`}>
              <Data>{name}</Data>
            </li>
          ))}
        </ul>
      )}
    </Banner>
  );
}
