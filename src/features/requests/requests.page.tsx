import { Get, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import { EnabledBy, SignedInPage } from '../../auth/access.decorators.js';
import type { ListedSecretRequest } from './requests.service.js';
import { SecretRequestsService } from './requests.service.js';
import { Settings } from '../../platform/settings/settings.js';
import { SecretRequestSettings } from './requests.settings.js';
import { QueuedByAccount } from '../../platform/http/account-queues.js';
import type { Paged } from '../../platform/http/paging/list-page.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { Layout } from '../../web/components/layout.js';
import { PagesOfList } from '../../web/components/pages-of-list.js';
import { Link, useTexts, Data } from '../../web/components/site.js';
import { EndToEndBadge, TextWithTime } from '../../web/components/words.js';
import { PastEnd } from '../../web/owner/own-list.js';
import { InMenu } from '../../web/pages/menus.js';
import { HowItWorksSection, Section } from '../../web/how-it-works.page.js';
import { PageController, PageResponse } from '../../web/pages/page-controller.js';

/** The requests of the signed-in user. */
@PageController()
@EnabledBy(SecretRequestSettings, 'ENABLE_REQUESTS')
export class RequestsPageController {
  constructor(
    private readonly requests: SecretRequestsService,
    private readonly settings: SecretRequestSettings,
    private readonly serviceSettings: Settings,
  ) {}

  @HowItWorksSection()
  explain(): VNode | null {
    const isByServer = this.serviceSettings.END_TO_END === 'off';
    return this.settings.ENABLE_REQUESTS ? <AnswersExplained isByServer={isByServer} /> : null;
  }

  @Get('requests')
  @InMenu({ main: { text: 'site.requests', position: 20 } })
  @QueuedByAccount()
  @SignedInPage()
  async show(@CurrentVisitor() visitor: Visitor, @Query('page') page: unknown): Promise<PageResponse> {
    const list = await this.requests.listWithUnread(visitor, ListPage.parse(page));
    return new PageResponse(<Requests list={list} />);
  }
}

function AnswersExplained({ isByServer }: { isByServer: boolean }) {
  const t = useTexts();
  return (
    <Section heading="how.requests">
      <p>{t.text('how.requestsText')}</p>
      <p>{t.text(isByServer ? 'how.requestsByServer' : 'how.requestsByBrowser')}</p>
    </Section>
  );
}

const pathOf = (page: number) => (page > 1 ? `/requests?page=${page}` : '/requests');

function Requests({ list }: { list: Paged<ListedSecretRequest[]> }) {
  const t = useTexts();
  const { page, totalPages } = list;
  return (
    <Layout title={t.text('requests.title')}>
      <div class="heading">
        <h1>{t.text('requests.title')}</h1>
        <Link to="/requests/new" role="button">
          {t.text('requests.create')}
        </Link>
      </div>
      {list.body.length === 0 ? (
        <Nothing page={page} lastPage={totalPages} />
      ) : (
        <ul class="rows">
          {list.body.map((listed) => (
            <Row key={listed.request.url_token} {...listed} />
          ))}
        </ul>
      )}
      {page <= totalPages && (
        <PagesOfList page={page} hasNext={page < totalPages} totalPages={totalPages} to={pathOf} />
      )}
    </Layout>
  );
}

function Nothing({ page, lastPage }: { page: number; lastPage: number }) {
  const t = useTexts();
  if (page > 1) return <PastEnd lastPage={pathOf(lastPage)} />;
  return <p class="empty">{t.text('requests.none')}</p>;
}

function Row({ request, unread }: ListedSecretRequest) {
  const t = useTexts();
  const isOpen = request.state === 'open';
  const answered = request.answers - request.answers_remaining;
  return (
    <li class="listed">
      <div class="what">
        <span>
          {request.url_token === '' ? (
            <span class="name">{t.text('list.unreadable')}</span>
          ) : (
            <Link to={`/requests/${request.url_token}`} class="name">
              <Data>{request.name || firstLine(request.request)}</Data>
            </Link>
          )}{' '}
          {request.client_encrypted && <EndToEndBadge />}
        </span>
        <span class={unread > 0 ? 'opened' : undefined}>
          {t.text('requests.answered', { answered, max: request.answers })}
          {unread > 0 && ` · ${t.text('requests.unread', { count: unread })}`}
        </span>
        <span class="quiet">
          {isOpen ? (
            <TextWithTime of="requests.openUntil" at={request.close_after_at} format="soon" />
          ) : (
            <>
              {t.text('request.closed')}{' '}
              <TextWithTime of="list.created" at={request.created_at} format="short" />
            </>
          )}
        </span>
      </div>
    </li>
  );
}

const MAX_SHOWN = 80;

/** What names a request without a name. */
function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length <= MAX_SHOWN ? line : `${Array.from(line).slice(0, MAX_SHOWN).join('')}…`;
}
