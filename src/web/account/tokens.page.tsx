import { InMenu } from '../pages/menus.js';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { Body, Get, Param, Query } from '@nestjs/common';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import { tokenNameError } from '../../auth/tokens/token-names.js';
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
import { useForm } from '../components/filled-form.js';
import { Input, FormErrors, ReauthenticationFields, Select } from '../components/fields.js';
import type { ApiToken, TokenScope } from '../../auth/entities/api-token.entity.js';
import { TOKEN_SCOPES, USE_ACCURACY_MS } from '../../auth/entities/api-token.entity.js';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import { ProgramsHeading } from '../components/navigation.js';
import { Layout } from '../components/layout.js';
import { PagesOfList } from '../components/pages-of-list.js';
import { FlashMessage, Form, useSite, Sentence, useTexts, Data, UNTRANSLATED } from '../components/site.js';
import { ValueToCopy } from '../components/copy.js';
import { Table } from '../components/table.js';
import { Time } from '../components/words.js';

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
  @InMenu({ main: { text: 'site.tokens', position: 30 }, programs: { text: 'tokens.title', position: 10 } })
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

const COLUMNS = [
  'tokens.name',
  'tokens.start',
  'list.createdHeading',
  'list.lastUsedHeading',
  'tokens.end',
  'tokens.action',
] as const;

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
  const { typed } = useForm();
  const { base } = useSite();
  const t = useTexts();
  return (
    <Layout title={t.text('tokens.title')} script="account">
      <ProgramsHeading />
      <p class="lede">
        <Sentence
          of="tokens.intro"
          header={<code {...UNTRANSLATED}>{HEADER}</code>}
          link={(label) => <a href={`${base}/api/docs`}>{label}</a>}
        />
      </p>
      {newToken !== undefined && <ValueToCopy id="new-token" label={t.text('tokens.new')} value={newToken} />}
      <FlashMessage text={isRepeated ? 'tokens.repeated' : undefined} />
      <section class="card">
        <h2>{t.text('tokens.create')}</h2>
        <FormErrors />
        <Form to="/users/token">
          <input type="hidden" name="id" value={formId} />
          <Input
            name="name"
            label={t.text('tokens.name')}
            placeholder={t.text('tokens.nameExample')}
            autocomplete="off"
            value={typed.name}
            required
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
          <Select
            name="days"
            label={t.text('tokens.end')}
            errors={{}}
            options={ends(t, maxDays, typed.days)}
          />
          <ReauthenticationFields id="token" />
          <button>{t.text('tokens.submit')}</button>
        </Form>
      </section>
      <section>
        <h2>{t.text('tokens.list')}</h2>
        {tokens.length === 0 ? (
          <p class="quiet">{t.text('tokens.none')}</p>
        ) : (
          <Table headings={COLUMNS} class="events listing">
            {tokens.map((token) => (
              <Row key={token.id} token={token} />
            ))}
          </Table>
        )}
        <PagesOfList page={page} hasNext={hasNext} to={(number) => `/users/token?page=${number}`} />
      </section>
    </Layout>
  );
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

function Row({ token }: { token: ApiToken }) {
  const { id, name, prefix, scope, createdAt, lastUsedAt } = token;
  const t = useTexts();
  return (
    <tr role="row">
      <td role="cell" class="subject">
        <strong>
          <Data>{name}</Data>
        </strong>
        {scope !== 'everything' && <div class="quiet">{t.text(`tokens.scope.${scope}`)}</div>}
      </td>
      <td role="cell">
        <code {...UNTRANSLATED}>{`${prefix}…`}</code>
      </td>
      <td role="cell" class="when" data-label={t.text('list.createdHeading')}>
        <Time at={createdAt} format="short" />
      </td>
      <td role="cell" data-label={t.text('list.lastUsedHeading')}>
        <LastUse at={lastUsedAt} />
      </td>
      <td role="cell" class="when" data-label={t.text('tokens.end')}>
        <End token={token} />
      </td>
      <td role="cell">
        <Form to={`/users/token/${id}/revoke`}>
          <button class="secondary small danger-text" aria-label={t.text('tokens.revokeOne', { name })}>
            {t.text('tokens.revoke')}
          </button>
        </Form>
      </td>
    </tr>
  );
}
