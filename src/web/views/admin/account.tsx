import type { User } from '../../../auth/entities/user.entity.js';
import type { TextKey } from '../../../texts/en.js';
import type { FieldErrors } from '../fields.js';
import { Layout } from '../layout.js';
import { LinkToCopy } from '../link-to-copy.js';
import { Link, useSite } from '../site.js';
import { useTexts } from '../texts.js';
import { listedCount, TextWithTime } from '../words.js';
import { AccountState, Badges } from './account-state.js';
import type { AccountActionProps } from './account-action.js';
import { AccountAction } from './account-action.js';

/** A link as an administrator passes it on. */
export interface PasswordLinkToPassOn {
  url: string;
  endsAt: Date;
}

interface ManagedAccountPageProps {
  user: User;
  activePushes: number;
  /** A link that has just been created. */
  link?: PasswordLinkToPassOn;
  notice?: TextKey;
  /** The last part of the path of the form that was refused. */
  form?: string;
  errors?: FieldErrors;
}

/** An account as administrators see it: nothing of what it has sent but how many pushes are active. */
export function ManagedAccountPage({
  user,
  activePushes,
  link,
  notice,
  form,
  errors,
}: ManagedAccountPageProps) {
  const { sendsMail } = useSite();
  const t = useTexts();
  return (
    <Layout title={user.email}>
      <h1>{user.email}</h1>
      <p class="lede">
        <Badges user={user} /> <AccountState user={user} />{' '}
        {t.text('admin.activePushes', listedCount(activePushes))}
      </p>
      {notice !== undefined && (
        <p class="notice" role="status">
          {t.text(notice)}
        </p>
      )}
      {link && <NewLink link={link} />}
      {actionsOn(user, sendsMail).map((action) => (
        <AccountAction
          key={action.action}
          accountId={user.id}
          {...action}
          errors={action.action === form ? errors : undefined}
        />
      ))}
      <p class="actions">
        <Link to="/admin/accounts">{t.text('admin.backToList')}</Link>
      </p>
    </Layout>
  );
}

function actionsOn(user: User, sendsMail: boolean): Omit<AccountActionProps, 'accountId' | 'errors'>[] {
  const { passwordHash, disabledAt, administrator, emailUnverified } = user;
  const linkText = passwordHash === null ? 'admin.linkInvite' : 'admin.linkText';
  const promoteText = emailUnverified ? 'admin.promoteSignedUp' : 'admin.promoteText';
  return [
    { action: 'password_link', heading: 'admin.link', text: linkText, submit: 'admin.linkSubmit' },
    ...(sendsMail
      ? ([
          {
            action: 'send_password_link',
            heading: 'admin.sendLink',
            text: 'admin.sendLinkText',
            submit: 'admin.sendLinkSubmit',
          },
        ] as const)
      : []),
    disabledAt === null
      ? { action: 'disable', heading: 'admin.disable', text: 'admin.disableText' }
      : { action: 'enable', heading: 'admin.enable', text: 'admin.enableText' },
    administrator
      ? { action: 'demote', heading: 'admin.demote', text: 'admin.demoteText' }
      : { action: 'promote', heading: 'admin.promote', text: promoteText },
    {
      action: 'delete',
      heading: 'admin.delete',
      text: 'admin.deleteText',
      submit: 'admin.deleteSubmit',
      isDangerous: true,
    },
  ];
}

function NewLink({ link: { url, endsAt } }: { link: PasswordLinkToPassOn }) {
  return (
    <section class="card notice" role="status">
      <p>
        <TextWithTime of="admin.linkMade" at={endsAt} />
      </p>
      <LinkToCopy url={url} />
    </section>
  );
}
