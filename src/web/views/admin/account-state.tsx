import type { User } from '../../../auth/entities/user.entity.js';
import { useTexts } from '../texts.js';
import { TextWithTime } from '../words.js';

export function Badges({ user: { administrator, disabledAt, passwordHash } }: { user: User }) {
  const t = useTexts();
  return (
    <>
      {administrator && <span class="badge">{t.text('admin.administrator')}</span>}{' '}
      {disabledAt !== null && <span class="badge">{t.text('admin.disabled')}</span>}{' '}
      {passwordHash === null && <span class="badge">{t.text('admin.noPassword')}</span>}
    </>
  );
}

/** How and when the account was created, and when it was last used. */
export function AccountState({ user }: { user: User }) {
  const t = useTexts();
  return (
    <>
      <TextWithTime
        of={user.emailUnverified ? 'admin.emailUnverified' : 'admin.created'}
        at={user.createdAt}
      />{' '}
      {user.lastUsedAt === null ? (
        t.text('admin.neverUsed')
      ) : (
        <TextWithTime of="admin.lastUsed" at={user.lastUsedAt} />
      )}
    </>
  );
}
