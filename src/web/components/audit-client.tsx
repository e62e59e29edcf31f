import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import { browserInWords } from '../../auth/sessions/browser-in-words.js';
import { Data, Sentence, useTexts } from './site.js';
import { DOT } from './words.js';

/**
 * Who caused an entry: the browser in words, and the host of the page from which it came. Not what it sent, which is a
 * text of a stranger: that is in the audit log of the API.
 */
export function AuditClient({
  entry: { userAgent, referrer },
}: {
  entry: Pick<AuditEntry, 'userAgent' | 'referrer'>;
}) {
  const t = useTexts();
  const host = URL.parse(referrer)?.host; // in ASCII
  return (
    <>
      {browserInWords(userAgent, t)}
      {host && (
        <>
          {DOT}
          <Sentence of="audit.referrer" host={<Data>{host}</Data>} />
        </>
      )}
    </>
  );
}
