import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import { browserInWords } from '../../auth/sessions/browser-in-words.js';
import { useTexts, Data } from './site.js';

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
  if (!host) return <>{browserInWords(userAgent, t)}</>;
  return (
    <details class="client">
      <summary>{browserInWords(userAgent, t)}</summary>
      <dl>
        <dt>{t.text('audit.referrer')}</dt>
        <dd>
          <Data>{host}</Data>
        </dd>
      </dl>
    </details>
  );
}
