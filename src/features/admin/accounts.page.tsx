import { InMenu } from '../../web/pages/menus.js';
import { Body, Get, Query } from '@nestjs/common';
import { AdministratorPage } from '../../auth/access.decorators.js';
import type { AccountFilter } from '../../auth/users/account-administration.js';
import { ACCOUNT_FILTERS, AccountAdministration } from '../../auth/users/account-administration.js';
import { AccountGroupsService } from '../../auth/groups/account-groups.service.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import { PasswordLinksService } from '../../auth/links/password-links.service.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { Flash, PageLanguage } from '../../web/pages/parameters.js';
import { ChangeEmailDto } from '../../web/account/account.dto.js';
import type { FieldErrors, FormFields } from '../../web/components/filled-form.js';
import type { ShownAgain } from '../../web/forms/form.js';
import { PostForm, PostReauthenticatedForm } from '../../web/forms/form.js';
import { PageController, PageResponse, SeeOther } from '../../web/pages/page-controller.js';
import type { Language } from '../../texts/languages.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { ManagedAccount, DONE, linkFor, Tags, tagsOf } from './managed-account.page.js';
import { errorText } from '../../web/language/error-texts.js';
import { useForm } from '../../web/components/filled-form.js';
import { Button, LinkButton } from '../../web/components/button.js';
import { SegmentLink, SegmentLinks } from '../../web/components/choices.js';
import { Empty } from '../../web/components/empty.js';
import { SectionRow, SectionRows } from '../../web/components/card.js';
import { EmailInput, FormErrors, ReauthenticationFields } from '../../web/components/fields.js';
import { SearchField, Toolbar } from '../../web/components/list-tools.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import { Layout } from '../../web/components/layout.js';
import { PagesOfList } from '../../web/components/pages-of-list.js';
import { FlashMessage, Link, Form, Sentence, useSite, useTexts, Data } from '../../web/components/site.js';
import { Avatar, Cell, Row, RowTitle, Status, Table } from '../../web/components/table.js';
import { DOT, Time } from '../../web/components/words.js';
import { AdministrationHeading } from '../../web/components/navigation.js';

const FORM: ShownAgain<AccountsController> = { again: (page) => page.view() };

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
  async list(
    @Query('page') page: unknown,
    @Query('only') only: unknown,
    @Query('invite') invite: unknown,
    @Flash(DONE) flash: TextKey | undefined,
  ): Promise<PageResponse> {
    return new PageResponse(await this.view({ page, only, isInviting: invite !== undefined, flash }));
  }

  /** Where no mail is sent, the response shows the link, because a redirect would need it in a URL, in a cookie or in the database. */
  @PostReauthenticatedForm('admin/accounts', { ...FORM, field: 'email' })
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

  @PostForm('admin/accounts/find', { ...FORM, field: 'find' })
  @AdministratorPage()
  async find(@Body() { find = '' }: FormFields): Promise<SeeOther> {
    const { id } = await this.administration.find(find);
    return new SeeOther(`/admin/accounts/${id}`);
  }

  /** An unknown filter is none. */
  async view({ page, only, ...shown }: Shown = {}) {
    const filter = ACCOUNT_FILTERS.find((known) => known === only);
    const list = await this.administration.list(ListPage.parse(page), filter);
    return <Accounts list={list} filter={filter} {...shown} />;
  }
}

interface Shown extends Pick<AccountsProps, 'isInviting' | 'flash'> {
  page?: unknown;
  only?: unknown;
}

const COLUMNS = [
  { text: 'admin.account' },
  { text: 'admin.secondFactor', shownAt: 'wide' },
  { text: 'list.lastUsedHeading', shownAt: 'wide' },
  { text: 'list.createdHeading', shownAt: 'desk' },
] as const;

interface AccountsProps {
  list: UncountedPage<User>;
  filter?: AccountFilter;
  /** Whether the form for an invitation is shown, as it is when it comes back with errors. */
  isInviting?: boolean;
  flash?: TextKey;
}

const FIND = '/admin/accounts/find';
const INVITE = 'invite';

function Accounts({ list, filter, isInviting = false, flash }: AccountsProps) {
  const found = useForm(FIND);
  const invitation = useForm('/admin/accounts');
  const hasForm = isInviting || invitation.errors !== undefined;
  const t = useTexts();
  return (
    <Layout title={t.text('admin.accounts')} script="account" width="list">
      <AdministrationHeading>
        {!hasForm && (
          <LinkButton
            to={`/admin/accounts?${INVITE}`}
            look="primary"
            icon="plus"
            short={t.text('steps.inviteOpen')}
          >
            {t.text('admin.invite')}
          </LinkButton>
        )}
      </AdministrationHeading>
      <FlashMessage text={flash} />
      <div class="stack">
        <p class="quiet">{t.text('admin.intro')}</p>
        {hasForm && <Invitation />}
        <Toolbar to={FIND}>
          <Filters chosen={found.errors ? null : filter} />
          <SearchField
            name="find"
            type="email"
            label="admin.findEmail"
            placeholder="account.email"
            value={found.typed.find ?? ''}
          />
        </Toolbar>
      </div>
      {found.errors ? <NotFound errors={found.errors} /> : <List list={list} filter={filter} />}
      <Proven />
    </Layout>
  );
}

function List({ list, filter }: Pick<AccountsProps, 'list' | 'filter'>) {
  const t = useTexts();
  const path = pathOf(filter);
  return (
    <>
      {list.rows.length === 0 ? (
        <Empty icon="search" title={t.text('admin.noAccounts')} action={<AllAccounts />}>
          {t.text(filter ? FILTER_TEXTS[filter] : 'admin.newest')}
        </Empty>
      ) : (
        <Table caption={filter ? FILTER_TEXTS[filter] : 'admin.newest'} columns={COLUMNS} hasLongNames>
          {list.rows.map((user) => (
            <AccountRow key={user.id} user={user} />
          ))}
        </Table>
      )}
      <PagesOfList
        page={list.page}
        hasNext={list.hasNext}
        to={(page) => `${path}${filter ? '&' : '?'}page=${page}`}
      />
    </>
  );
}

/** In place of the list, when the search has found no account. */
function NotFound({ errors }: { errors: FieldErrors }) {
  const t = useTexts();
  const problems = Object.values(errors).flatMap((ofField = []) => ofField);
  return (
    <div role="status">
      <Empty
        icon="search"
        title={problems.map((problem) => errorText(problem, t)).join(' ')}
        action={<AllAccounts />}
      >
        {t.text('admin.findWhere')}
      </Empty>
    </div>
  );
}

/** That most changes do not ask for the password, because it was checked a short time ago. */
function Proven() {
  const { reauthentication: { proven } = {} } = useSite();
  if (!proven) return null;
  return (
    <p class="quiet small gap-sm">
      <Sentence
        of="admin.proven"
        time={<Time at={proven.at} format="clock" />}
        until={<Time at={proven.until} format="clock" />}
      />
    </p>
  );
}

function AllAccounts() {
  return (
    <LinkButton to="/admin/accounts" aria-current={undefined}>
      {useTexts().text('admin.backToList')}
    </LinkButton>
  );
}

const FILTER_TEXTS: Record<AccountFilter, TextKey> = {
  administrators: 'admin.administrators',
  without_second_factor: 'admin.withoutSecondFactor',
  disabled: 'admin.disabled',
};

function pathOf(filter?: AccountFilter): string {
  return filter ? `/admin/accounts?only=${filter}` : '/admin/accounts';
}

/** @param chosen null for none of them, not even all */
function Filters({ chosen }: { chosen?: AccountFilter | null }) {
  const t = useTexts();
  return (
    <SegmentLinks label="admin.filter">
      {[undefined, ...ACCOUNT_FILTERS].map((filter) => (
        <SegmentLink key={filter} to={pathOf(filter)} isCurrent={filter === chosen}>
          {t.text(filter ? FILTER_TEXTS[filter] : 'filter.all')}
        </SegmentLink>
      ))}
    </SegmentLinks>
  );
}

function Invitation() {
  const { sendsMail } = useSite();
  const t = useTexts();
  return (
    <SectionRows>
      <SectionRow
        icon="plus"
        title={t.text('admin.invite')}
        state={t.text(sendsMail ? 'admin.inviteByMail' : 'admin.inviteText')}
        isOpen
      >
        <FormErrors of="/admin/accounts" />
        <Form to="/admin/accounts" class="stack">
          <EmailInput autocomplete="off" />
          <ReauthenticationFields id="invite" label={t.text('admin.ownPassword')} />
          <Button look="primary">
            {t.text(sendsMail ? 'admin.inviteByMailSubmit' : 'admin.inviteSubmit')}
          </Button>
        </Form>
      </SectionRow>
    </SectionRows>
  );
}

function AccountRow({ user }: { user: User }) {
  const { id, email, createdAt, lastUsedAt, hasSecondFactor } = user;
  const t = useTexts();
  const lacksFactor = !hasSecondFactor && user.passwordHash !== null && user.disabledAt === null;
  const lastUsed = lastUsedAt ? <Time at={lastUsedAt} format="brief" /> : t.text('admin.neverUsed');
  return (
    <Row
      title={
        <RowTitle icon={<Avatar of={email} />} marks={<Tags user={user} isOnlyWide />}>
          <Link to={`/admin/accounts/${id}`}>
            <Data>{email}</Data>
          </Link>
        </RowTitle>
      }
      line={
        <>
          {[
            ...tagsOf(user, t),
            t.text(hasSecondFactor ? 'admin.withSecondFactor' : 'admin.withoutSecondFactor'),
          ].join(DOT)}
          {DOT}
          {lastUsedAt && `${t.text('list.lastUsedHeading')}: `}
          {lastUsed}
        </>
      }
    >
      <Cell>
        <Status kind={hasSecondFactor ? 'done' : lacksFactor ? 'soon' : 'over'}>
          {t.text(hasSecondFactor ? 'state.on' : 'row.none')}
        </Status>
      </Cell>
      <Cell isQuiet>{lastUsed}</Cell>
      <Cell isQuiet shownAt="desk">
        <Time at={createdAt} format="brief" />
      </Cell>
    </Row>
  );
}
