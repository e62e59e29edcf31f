import { InMenu } from '../../web/pages/menus.js';
import { Body, Get, Query } from '@nestjs/common';
import { AdministratorPage } from '../../auth/access.decorators.js';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import { AccountGroupsService } from '../../auth/groups/account-groups.service.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import { PasswordLinksService } from '../../auth/links/password-links.service.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { Flash, PageLanguage } from '../../web/pages/parameters.js';
import { ChangeEmailDto } from '../../web/account/account.dto.js';
import type { FormFields } from '../../web/components/filled-form.js';
import type { ShownAgain } from '../../web/forms/form.js';
import { PostForm, PostReauthenticatedForm } from '../../web/forms/form.js';
import { PageController, PageResponse, SeeOther } from '../../web/pages/page-controller.js';
import type { Language } from '../../texts/languages.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { ManagedAccount, DONE, linkFor, Badges } from './managed-account.page.js';
import { useForm } from '../../web/components/filled-form.js';
import { EmailInput, FormErrors, Input, ReauthenticationFields } from '../../web/components/fields.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import { Layout } from '../../web/components/layout.js';
import { PagesOfList } from '../../web/components/pages-of-list.js';
import { FlashMessage, Link, Form, useSite, useTexts, Data } from '../../web/components/site.js';
import { Table } from '../../web/components/table.js';
import { Time } from '../../web/components/words.js';
import { AdministrationHeading } from '../../web/components/navigation.js';

/** Each of the two forms has a field of its own. */
const FORM: ShownAgain<AccountsController> = {
  again: (page) => page.view(),
  field: (_error, { path }) => (path.endsWith('/find') ? 'find' : 'email'),
};

/** The list of accounts, and invitations. Only administrators see them. */
@PageController()
export class AccountsController {
  constructor(
    private readonly administration: AccountAdministration,
    private readonly links: PasswordLinksService,
    private readonly mails: MailsService,
    private readonly groups: AccountGroupsService,
  ) {}

  @Get('admin/accounts')
  @InMenu({ administration: { text: 'admin.accounts', position: 20 } })
  @QueuedByAccount()
  @AdministratorPage()
  async list(@Query('page') page: unknown, @Flash(DONE) flash: TextKey | undefined): Promise<PageResponse> {
    return new PageResponse(await this.view(page, flash));
  }

  /** Where no mail is sent, the response shows the link, because a redirect would need it in a URL, in a cookie or in the database. */
  @PostReauthenticatedForm('admin/accounts', FORM)
  @AdministratorPage()
  async invite(
    @Body() { email }: ChangeEmailDto,
    @PageLanguage() language: Language,
    @CurrentVisitor() { baseUrl }: Visitor,
  ): Promise<PageResponse | SeeOther> {
    if (this.mails.isEnabled) {
      const { id } = await this.links.inviteByMail(email, language);
      return new SeeOther(`/admin/accounts/${id}?done=invite`);
    }
    const { user, link } = await this.links.invite(email);
    const groups = await this.groups.list();
    const toPassOn = linkFor(link, baseUrl);
    return new PageResponse(
      <ManagedAccount user={user} activePushes={0} groups={groups} link={toPassOn} />,
      201,
    );
  }

  @PostForm('admin/accounts/find', FORM)
  @AdministratorPage()
  async find(@Body() { find = '' }: FormFields): Promise<SeeOther> {
    const { id } = await this.administration.find(find);
    return new SeeOther(`/admin/accounts/${id}`);
  }

  async view(page?: unknown, flash?: TextKey) {
    return <Accounts list={await this.administration.list(ListPage.parse(page))} flash={flash} />;
  }
}

const COLUMNS = ['admin.account', 'list.createdHeading', 'list.lastUsedHeading'] as const;

interface AccountsProps {
  list: UncountedPage<User>;
  flash?: TextKey;
}

function Accounts({ list, flash }: AccountsProps) {
  const { sendsMail } = useSite();
  const t = useTexts();
  return (
    <Layout title={t.text('admin.accounts')} script="account">
      <AdministrationHeading />
      <p class="lede">{t.text('admin.intro')}</p>
      <FlashMessage text={flash} />
      <FormErrors />
      <section class="card">
        <h2>{t.text('admin.invite')}</h2>
        <p>{t.text(sendsMail ? 'admin.inviteByMail' : 'admin.inviteText')}</p>
        <Form to="/admin/accounts">
          <EmailInput autocomplete="off" />
          <ReauthenticationFields id="invite" label={t.text('admin.ownPassword')} />
          <button>{t.text(sendsMail ? 'admin.inviteByMailSubmit' : 'admin.inviteSubmit')}</button>
        </Form>
      </section>
      <section>
        <h2>{t.text('admin.newest')}</h2>
        <Form to="/admin/accounts/find" class="find">
          <Input
            name="find"
            label={t.text('admin.findEmail')}
            type="email"
            autocomplete="off"
            value={useForm().typed.find}
            required
          />
          <button class="secondary">{t.text('admin.find')}</button>
        </Form>
        <Table headings={COLUMNS} class="events listing">
          {list.rows.map((user) => (
            <Row key={user.id} user={user} />
          ))}
        </Table>
        <PagesOfList page={list.page} hasNext={list.hasNext} to={(page) => `/admin/accounts?page=${page}`} />
      </section>
    </Layout>
  );
}

function Row({ user }: { user: User }) {
  const { id, email, createdAt, lastUsedAt } = user;
  const t = useTexts();
  return (
    <tr role="row">
      <td role="cell" class="subject">
        <Link to={`/admin/accounts/${id}`} class="name">
          <Data>{email}</Data>
        </Link>{' '}
        <Badges user={user} />
      </td>
      <td role="cell" class="when" data-label={t.text('list.createdHeading')}>
        <Time at={createdAt} />
      </td>
      <td role="cell" class="when" data-label={t.text('list.lastUsedHeading')}>
        {lastUsedAt ? <Time at={lastUsedAt} /> : t.text('admin.neverUsed')}
      </td>
    </tr>
  );
}
