import type { User } from '../../../auth/user.entity.js';
import type { PasswordLinkToPassOn } from '../../admin/link-for.js';
import type { TextKey } from '../../../texts/en.js';
import type { FieldErrors } from '../fields.js';
import { Layout } from '../layout.js';
import { LinkToCopy } from '../link-to-copy.js';
import { Link, useSite } from '../site.js';
import { useTexts } from '../texts.js';
import { Dated } from '../words.js';
import { AccountState, Badges } from './account-state.js';
import { Act } from './act.js';

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
  const errorsOf = (act: string) => (act === form ? errors : undefined);
  return (
    <Layout title={user.email}>
      <h1>{user.email}</h1>
      <p class="lede">
        <Badges user={user} /> <AccountState user={user} />{' '}
        {t.text('admin.activePushes', { count: activePushes })}
      </p>
      {notice !== undefined && (
        <p class="notice" role="status">
          {t.text(notice)}
        </p>
      )}
      {link && <NewLink link={link} />}
      <Act
        of={user.id}
        act="password_link"
        heading="admin.link"
        text={user.passwordHash === null ? 'admin.linkInvite' : 'admin.linkText'}
        submit="admin.linkSubmit"
        errors={errorsOf('password_link')}
      />
      {sendsMail && (
        <Act
          of={user.id}
          act="send_password_link"
          heading="admin.sendLink"
          text="admin.sendLinkText"
          submit="admin.sendLinkSubmit"
          errors={errorsOf('send_password_link')}
        />
      )}
      {user.disabledAt === null ? (
        <Act
          of={user.id}
          act="disable"
          heading="admin.disable"
          text="admin.disableText"
          submit="admin.disable"
          errors={errorsOf('disable')}
        />
      ) : (
        <Act
          of={user.id}
          act="enable"
          heading="admin.enable"
          text="admin.enableText"
          submit="admin.enable"
          errors={errorsOf('enable')}
        />
      )}
      {user.administrator ? (
        <Act
          of={user.id}
          act="demote"
          heading="admin.demote"
          text="admin.demoteText"
          submit="admin.demote"
          errors={errorsOf('demote')}
        />
      ) : (
        <Act
          of={user.id}
          act="promote"
          heading="admin.promote"
          text={user.signedUp ? 'admin.promoteSignedUp' : 'admin.promoteText'}
          submit="admin.promote"
          errors={errorsOf('promote')}
        />
      )}
      <Act
        of={user.id}
        act="delete"
        heading="admin.delete"
        text="admin.deleteText"
        submit="admin.deleteSubmit"
        isDangerous
        errors={errorsOf('delete')}
      />
      <p class="actions">
        <Link to="/admin/accounts">{t.text('admin.backToList')}</Link>
      </p>
    </Layout>
  );
}

function NewLink({ link: { url, endsAt } }: { link: PasswordLinkToPassOn }) {
  return (
    <section class="card notice" role="status">
      <p>
        <Dated of="admin.linkMade" at={endsAt} />
      </p>
      <LinkToCopy url={url} />
    </section>
  );
}
