import { InMenu } from '../pages/menus.js';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { Body, Get, Param, Query } from '@nestjs/common';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import { CheckedBy } from '../../platform/http/validation/validation.pipe.js';
import { SignedInPage } from '../../auth/access.decorators.js';
import { TokensService } from '../../auth/tokens/tokens.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Language } from '../../texts/languages.js';
import type { Translator } from '../../texts/translator.js';
import type { OwnRejectedForm } from '../forms/form.js';
import { FormId, PostForm, PostReauthenticatedForm } from '../forms/form.js';
import { PageResponse, SeeOther, PageController } from '../pages/page-controller.js';
import { PageLanguage, CurrentUser } from '../pages/parameters.js';
import { Button } from '../components/button.js';
import { MenuButton, RowMenu } from '../components/menu.js';
import { Section, SectionRow, SectionRows } from '../components/card.js';
import { useForm } from '../components/filled-form.js';
import { Input, FormErrors, ReauthenticationFields, Select } from '../components/fields.js';
import type { ApiToken, TokenScope } from '../../auth/entities/api-token.entity.js';
import { TOKEN_SCOPES, USE_ACCURACY_MS, tokenNameError } from '../../auth/entities/api-token.entity.js';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import { ProgramsHeading } from '../components/navigation.js';
import { Icon } from '../components/icon.js';
import { Layout } from '../components/layout.js';
import { PagesOfList } from '../components/pages-of-list.js';
import { FlashMessage, Form, useSite, Sentence, useTexts, Data, UNTRANSLATED } from '../components/site.js';
import { ValueToCopy } from '../components/copy.js';
import type { Column } from '../components/table.js';
import { Cell, Row, RowTitle, Table } from '../components/table.js';
import { DOT, Time } from '../components/words.js';
import { StateInAccount } from './account-overview.js';

const DAYS = [30, 90, 365];

class CreateTokenDto {
  @CheckedBy(tokenNameError)
  name = '';

  @IsOptional()
  @IsIn(TOKEN_SCOPES)
  scope?: TokenScope;

  /** Empty for a token that does not end. */
  @IsOptional()
  @Matches(/^([1-9]\d{0,4})?$/)
  days?: string;

  @FormId()
  id?: string;
}

/** The API tokens of the signed-in user. */
@PageController()
export class TokensController {
  constructor(
    private readonly tokens: TokensService,
    private readonly settings: Settings,
  ) {}

  @Get('users/token')
  @InMenu({
    account: { text: 'site.tokens', position: 20, icon: 'terminal' },
    programs: { text: 'tokens.title', position: 10, icon: 'terminal' },
  })
  @QueuedByAccount()
  @SignedInPage()
  async show(@CurrentUser() user: User, @Query('page') page: unknown): Promise<PageResponse> {
    return new PageResponse(await this.view(user, {}, page));
  }

  /**
   * The response shows the token, because a redirect would need it in a URL, in a cookie or in the database. A repeated
   * form has the id of a token that exists, so it creates no other.
   */
  @PostReauthenticatedForm('users/token', {
    again: (page: TokensController, { user }: OwnRejectedForm) => page.view(user),
  })
  @SignedInPage()
  async create(
    @CurrentUser() user: User,
    @Body() { name, scope, days, id = this.tokens.newId() }: CreateTokenDto,
    @PageLanguage() language: Language,
  ): Promise<PageResponse> {
    const token = { name: name.trim(), scope, days: this.daysOf(days) };
    const created = await this.tokens.createOnce(user, token, id, language);
    return created === undefined
      ? new PageResponse(await this.view(user, { isRepeated: true }))
      : new PageResponse(await this.view(user, { newToken: created }), 201);
  }

  @PostForm('users/token/:id/revoke')
  @SignedInPage()
  async revoke(@CurrentUser() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.tokens.revoke(user, id);
    return new SeeOther('/users/token');
  }

  @StateInAccount('/users/token')
  async stateFor(user: User) {
    return <TokensState list={await this.tokens.pageOf(user, ListPage.parse(undefined))} />;
  }

  private async view(user: User, shown: Partial<TokensProps> = {}, page?: unknown) {
    const list = await this.tokens.pageOf(user, ListPage.parse(page));
    const maxDays = this.settings.API_TOKEN_DAYS_MAX;
    return <Tokens list={list} formId={this.tokens.newId()} maxDays={maxDays} {...shown} />;
  }

  /** What was chosen, or the longest time where that is not allowed or nothing was. */
  private daysOf(days = ''): number | undefined {
    const max = this.settings.API_TOKEN_DAYS_MAX;
    return days === '' ? max : Math.min(Number(days), max ?? Infinity);
  }
}

const COLUMNS: readonly Column[] = [
  { text: 'tokens.name' },
  { text: 'tokens.start', shownAt: 'wide' },
  { text: 'list.createdHeading', shownAt: 'desk' },
  { text: 'list.lastUsedHeading', shownAt: 'wide' },
  { text: 'tokens.end', shownAt: 'desk' },
  { text: 'tokens.action', isTitleHidden: true },
];

const HEADER = 'Authorization: Bearer …';

interface TokensProps {
  list: UncountedPage<ApiToken>;
  /** A new id for the token that the form creates. */
  formId: string;
  /** After how many days a new token ends at the latest. */
  maxDays?: number;
  /** A token that has just been created, in plain text. */
  newToken?: string;
  /** Whether the form has created its token before. */
  isRepeated?: boolean;
}

function Tokens({
  list: { rows: tokens, page, hasNext },
  formId,
  maxDays,
  newToken,
  isRepeated = false,
}: TokensProps) {
  const { base } = useSite();
  const t = useTexts();
  return (
    <Layout title={t.text('tokens.title')} script="account" width="list">
      <ProgramsHeading />
      {newToken !== undefined && <ValueToCopy id="new-token" label={t.text('tokens.new')} value={newToken} />}
      <FlashMessage text={isRepeated ? 'tokens.repeated' : undefined} kind="info" />
      <Section
        title="tokens.create"
        isTitleHidden
        lede={
          <Sentence
            of="tokens.intro"
            header={<code {...UNTRANSLATED}>{HEADER}</code>}
            link={(label) => <a href={`${base}/api/docs`}>{label}</a>}
          />
        }
      >
        <SectionRows>
          <NewTokenRow
            formId={formId}
            maxDays={maxDays}
            isOpen={tokens.length === 0 && newToken === undefined}
          />
        </SectionRows>
      </Section>
      {tokens.length > 0 && (
        <Section title="tokens.list">
          <Table caption="tokens.list" columns={COLUMNS}>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </Table>
          <PagesOfList page={page} hasNext={hasNext} to={(number) => `/users/token?page=${number}`} />
        </Section>
      )}
    </Layout>
  );
}

type NewTokenRowProps = Pick<TokensProps, 'formId' | 'maxDays'> & {
  /** Whether there is no token yet. */
  isOpen: boolean;
};

function NewTokenRow({ formId, maxDays, isOpen }: NewTokenRowProps) {
  const { typed, errors } = useForm('/users/token');
  const t = useTexts();
  return (
    <SectionRow
      icon="plus"
      title={t.text('tokens.create')}
      state={isOpen ? t.text('tokens.none') : undefined}
      open={t.text('row.add')}
      isOpen={isOpen || errors !== undefined}
    >
      <FormErrors isShort />
      <Form to="/users/token">
        <input type="hidden" name="id" value={formId} />
        <Input
          name="name"
          label={t.text('tokens.name')}
          placeholder={t.text('tokens.nameExample')}
          autocomplete="off"
          value={typed.name}
          required
          focusesOnError
        />
        <Select
          name="scope"
          label={t.text('tokens.scope')}
          hint={t.text('tokens.scopeHint')}
          errors={{}}
          options={TOKEN_SCOPES.map((scope) => ({
            value: scope,
            label: t.text(`tokens.scope.${scope}`),
            isSelected: scope === typed.scope,
          }))}
        />
        <Select name="days" label={t.text('tokens.end')} errors={{}} options={ends(t, maxDays, typed.days)} />
        <ReauthenticationFields id="token" />
        <p class="gap-top">
          <Button look="primary">{t.text('tokens.submit')}</Button>
        </p>
      </Form>
    </SectionRow>
  );
}

/** What the page of an account says about its tokens. */
function TokensState({ list: { rows, hasNext } }: Pick<TokensProps, 'list'>) {
  const t = useTexts();
  const used = rows.map(({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0);
  if (rows.length === 0) return <>{t.text('row.none')}</>;
  if (!latest(used) && !hasNext) return <>{t.text('account.tokensUnused', { count: rows.length })}</>;
  return (
    <>
      {t.text('account.tokens', { count: rows.length, isMore: hasNext ? 'yes' : 'no' })}
      {DOT}
      {t.text('list.lastUsedHeading')}: <LastUse at={latest(used)} />
    </>
  );
}

function latest(times: number[]): Date | null {
  const last = Math.max(...times);
  return last === 0 ? null : new Date(last);
}

/** A time as accurate as it is known: to the hour, and after some days to the day. */
function LastUse({ at }: { at: Date | null }) {
  const t = useTexts();
  if (!at) return <>{t.text('tokens.neverUsed')}</>;
  const hours = Math.floor(Math.max(0, Date.now() - at.getTime()) / USE_ACCURACY_MS);
  if (hours === 0) return <>{t.text('tokens.usedWithinHour')}</>;
  if (hours < 48) return <>{t.text('tokens.usedHoursAgo', { count: hours })}</>;
  return <>{t.text('tokens.usedDaysAgo', { count: Math.floor(hours / 24) })}</>;
}

/** When a new token may end. */
function ends(t: Translator, maxDays = Infinity, chosen?: string) {
  const days = DAYS.filter((one) => one < maxDays);
  const longest =
    maxDays === Infinity
      ? { value: '', label: t.text('tokens.never') }
      : { value: String(maxDays), label: t.text('tokens.days', { count: maxDays }) };
  const sooner = days.map((count) => ({ value: String(count), label: t.text('tokens.days', { count }) }));
  return [longest, ...sooner].map((end) => ({ ...end, isSelected: end.value === chosen }));
}

function End({ token }: { token: ApiToken }) {
  const t = useTexts();
  if (!token.endsAt) return <>{t.text('tokens.never')}</>;
  return token.hasEnded(new Date()) ? (
    <>{t.text('tokens.hasEnded')}</>
  ) : (
    <Time at={token.endsAt} format="short" />
  );
}

function TokenRow({ token }: { token: ApiToken }) {
  const { id, name, prefix, scope, createdAt, lastUsedAt } = token;
  const t = useTexts();
  return (
    <Row
      title={
        <RowTitle
          icon={<Icon name="key" />}
          more={scope === 'everything' ? undefined : t.text(`tokens.scope.${scope}`)}
        >
          <Data>{name}</Data>
        </RowTitle>
      }
      line={
        <>
          {t.text('list.lastUsedHeading')}: <LastUse at={lastUsedAt} />
        </>
      }
      actions={
        <Form to={`/users/token/${id}/revoke`}>
          <RowMenu label={t.text('list.more', { name })}>
            <MenuButton icon="trash" isDangerous aria-label={t.text('tokens.revokeOne', { name })}>
              {t.text('tokens.revoke')}
            </MenuButton>
          </RowMenu>
        </Form>
      }
    >
      <Cell>
        <code {...UNTRANSLATED}>{`${prefix}…`}</code>
      </Cell>
      <Cell shownAt="desk" isQuiet>
        <Time at={createdAt} format="short" />
      </Cell>
      <Cell isQuiet>
        <LastUse at={lastUsedAt} />
      </Cell>
      <Cell shownAt="desk" isQuiet>
        <End token={token} />
      </Cell>
    </Row>
  );
}
