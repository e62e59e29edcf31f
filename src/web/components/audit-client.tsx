import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import { browserInWords } from '../../auth/sessions/browser-in-words.js';
import { useTexts } from './site.js';

/** Who caused an entry: the browser in words, and what it sent. */
export function AuditClient({
  entry: { userAgent, referrer },
}: {
  entry: Pick<AuditEntry, 'userAgent' | 'referrer'>;
}) {
  const t = useTexts();
  if (userAgent === '' && referrer === '') return <>{t.text('audit.unknownBrowser')}</>;
  return (
    <details class="client">
      <summary>{browserInWords(userAgent, t)}</summary>
      <dl>
        {userAgent !== '' && (
          <>
            <dt>{t.text('audit.userAgent')}</dt>
            <dd>
              <bdi>{userAgent}</bdi>
            </dd>
          </>
        )}
        {referrer !== '' && (
          <>
            <dt>{t.text('audit.referrer')}</dt>
            <dd>
              <bdi>{referrer}</bdi>
            </dd>
          </>
        )}
      </dl>
    </details>
  );
}
