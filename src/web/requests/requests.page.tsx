import { Get, Query } from '@nestjs/common';
import { EnabledBy, SignedInPage } from '../../auth/access.decorators.js';
import type { ListedRequest } from '../../features/requests/requests.service.js';
import { RequestsService } from '../../features/requests/requests.service.js';
import type { RequestState } from '../../features/requests/request.dto.js';
import { QueuedByAccount } from '../../platform/http/account-queues.js';
import type { Paged } from '../../platform/http/paging/list-page.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Layout } from '../components/layout.js';
import { PagesOfList } from '../components/pages-of-list.js';
import { Link, useTexts } from '../components/site.js';
import { EndToEndBadge, TextWithTime } from '../components/words.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse } from '../pages/page-response.js';

/** The requests of the signed-in user. */
@PageController()
@EnabledBy('ENABLE_REQUESTS')
export class RequestsPageController {
  constructor(private readonly requests: RequestsService) {}

  @Get('requests')
  @QueuedByAccount()
  @SignedInPage()
  async show(
    @CurrentVisitor() visitor: Visitor,
    @Query('state') wanted: unknown,
    @Query('page') page: unknown,
  ): Promise<PageResponse> {
    const state = wanted === 'closed' ? 'closed' : 'open';
    const list = await this.requests.listWithUnread(state, visitor, ListPage.parse(page));
    return new PageResponse(<Requests state={state} list={list} />);
  }
}

const STATES: Record<RequestState, TextKey> = { open: 'requests.open', closed: 'requests.closed' };

function pathOf(state: RequestState, page = 1): string {
  const query = new URLSearchParams({
    ...(state === 'closed' && { state }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query === '' ? '/requests' : `/requests?${query}`;
}

function Requests({ state, list }: { state: RequestState; list: Paged<ListedRequest[]> }) {
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
      <nav class="tabs" aria-label={t.text('list.tabs')}>
        {(['open', 'closed'] as const).map((each) => (
          <Link key={each} to={pathOf(each)} aria-current={each === state ? 'page' : undefined}>
            {t.text(STATES[each])}
          </Link>
        ))}
      </nav>
      {list.body.length === 0 ? (
        <p class="empty">{t.text(state === 'open' ? 'requests.noneOpen' : 'requests.noneClosed')}</p>
      ) : (
        <ul class="rows">
          {list.body.map((listed) => (
            <Row key={listed.request.url_token} {...listed} />
          ))}
        </ul>
      )}
      {page <= totalPages && (
        <PagesOfList
          page={page}
          hasNext={page < totalPages}
          totalPages={totalPages}
          to={(other) => pathOf(state, other)}
        />
      )}
    </Layout>
  );
}

function Row({ request, unread }: ListedRequest) {
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
              {request.name || firstLine(request.request)}
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
            <TextWithTime of="list.created" at={request.created_at} format="short" />
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
