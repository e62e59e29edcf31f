import type { User } from '../../../auth/entities/user.entity.js';
import type { UncountedPage } from '../../../http/paging/find-page.js';
import type { TextKey } from '../../../texts/en.js';
import type { FieldErrors } from '../fields.js';
import { Input } from '../fields.js';
import { FormNotice } from '../form-notice.js';
import { Layout } from '../layout.js';
import { PagesOfList } from '../pages-of-list.js';
import { Link, PostForm, useSite } from '../site.js';
import { useTexts } from '../texts.js';
import { AccountState, Badges } from './account-state.js';
import { AdminNavigation } from './admin-navigation.js';

interface AccountsProps {
  list: UncountedPage<User>;
  notice?: TextKey;
  /** What was typed into the form that invites. */
  email?: string;
  /** What was typed into the form that finds. */
  find?: string;
  errors?: FieldErrors;
}

export function Accounts({ list, notice, email, find, errors }: AccountsProps) {
  const { sendsMail } = useSite();
  const t = useTexts();
  return (
    <Layout title={t.text('admin.accounts')}>
      <h1>{t.text('admin.accounts')}</h1>
      <AdminNavigation />
      <p class="lede">{t.text('admin.intro')}</p>
      {notice !== undefined && (
        <p class="notice" role="status">
          {t.text(notice)}
        </p>
      )}
      <FormNotice errors={errors} />
      <section class="card">
        <h2>{t.text('admin.invite')}</h2>
        <p>{t.text(sendsMail ? 'admin.inviteByMail' : 'admin.inviteText')}</p>
        <PostForm to="/admin/accounts">
          <Input
            name="email"
            label={t.text('signIn.email')}
            type="email"
            autocomplete="off"
            value={email}
            required
            errors={errors}
          />
          <button>{t.text(sendsMail ? 'admin.inviteByMailSubmit' : 'admin.inviteSubmit')}</button>
        </PostForm>
      </section>
      <section class="card">
        <h2>{t.text('admin.find')}</h2>
        <PostForm to="/admin/accounts/find">
          <Input
            name="find"
            label={t.text('admin.findEmail')}
            type="email"
            autocomplete="off"
            value={find}
            required
            errors={errors}
          />
          <button class="secondary">{t.text('admin.find')}</button>
        </PostForm>
      </section>
      <section>
        <h2>{t.text('admin.newest')}</h2>
        <ul class="rows">
          {list.rows.map((user) => (
            <Row key={user.id} user={user} />
          ))}
        </ul>
        <PagesOfList page={list.page} hasNext={list.hasNext} to={(page) => `/admin/accounts?page=${page}`} />
      </section>
    </Layout>
  );
}

function Row({ user }: { user: User }) {
  const { id, email } = user;
  return (
    <li>
      <div class="what">
        <span>
          <Link to={`/admin/accounts/${id}`} class="name">
            {email}
          </Link>{' '}
          <Badges user={user} />
        </span>
        <span class="quiet">
          <AccountState user={user} />
        </span>
      </div>
    </li>
  );
}
