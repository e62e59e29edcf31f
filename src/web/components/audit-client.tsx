import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import type { Translator } from '../../texts/translator.js';
import type { NamedClient } from '../../audit/user-agent.js';
import { namedClient } from '../../audit/user-agent.js';
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
      <summary>{inWords(namedClient(userAgent), t)}</summary>
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

function inWords(client: NamedClient | undefined, t: Translator): string {
  if (!client) return t.text('audit.unknownBrowser');
  const { name, system, isRobot } = client;
  if (isRobot) return t.text('audit.robot', { name });
  return system === undefined ? name : t.text('audit.browserOn', { name, system });
}
