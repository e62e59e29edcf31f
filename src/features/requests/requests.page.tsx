import { Get, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import { EnabledBy, SignedInPage } from '../../auth/access.decorators.js';
import type { ListedSecretRequest } from './requests.service.js';
import { SecretRequestsService } from './requests.service.js';
import { Settings } from '../../platform/settings/settings.js';
import { SecretRequestSettings } from './requests.settings.js';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import type { Paged } from '../../platform/http/paging/list-page.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { LinkButton } from '../../web/components/button.js';
import { Section } from '../../web/components/card.js';
import { Empty } from '../../web/components/empty.js';
import { Heading } from '../../web/components/heading.js';
import { Icon } from '../../web/components/icon.js';
import { Layout } from '../../web/components/layout.js';
import { MenuButton, MenuLink, RowMenu } from '../../web/components/menu.js';
import { PagesOfList } from '../../web/components/pages-of-list.js';
import { Link, useTexts, Data, UNTRANSLATED } from '../../web/components/site.js';
import type { Column } from '../../web/components/table.js';
import { Cell, Mark, Phrase, Row, RowTitle, Status, Table } from '../../web/components/table.js';
import { DOT, TextWithTime, Time } from '../../web/components/words.js';
import { PastEnd } from '../../web/owner/own-list.js';
import { InMenu } from '../../web/pages/menus.js';
import { HowItWorksSection } from '../../web/how-it-works.page.js';
import { PageController, PageResponse } from '../../web/pages/page-controller.js';
import { CLOSE, firstLine } from './own-request.view.js';
import type { OwnRequestDto } from './request.dto.js';

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
  @InMenu({ main: { text: 'site.requests', position: 20, icon: 'inbox' } })
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
    <Section title="how.requests">
      <p>{t.text('how.requestsText')}</p>
      <p>{t.text(isByServer ? 'how.requestsByServer' : 'how.requestsByBrowser')}</p>
    </Section>
  );
}

const pathOf = (page: number) => (page > 1 ? `/requests?page=${page}` : '/requests');

function Requests({ list }: { list: Paged<ListedSecretRequest[]> }) {
  const t = useTexts();
  const { page, totalPages, body } = list;
  const isEmpty = body.length === 0 && page === 1;
  return (
    <Layout title={t.text('requests.title')} width="list" script="owner">
      <Heading title={t.text('requests.title')}>
        {!isEmpty && (
          <LinkButton to="/requests/new" look="primary" icon="plus" short={t.text('requests.ask')}>
            {t.text('requests.create')}
          </LinkButton>
        )}
      </Heading>
      {body.length === 0 ? (
        <Nothing page={page} lastPage={totalPages} />
      ) : (
        <Table caption="requests.title" columns={COLUMNS} hasLongNames>
          {body.map((listed) => (
            <RequestRow key={listed.request.url_token} {...listed} />
          ))}
        </Table>
      )}
      {page <= totalPages && (
        <PagesOfList page={page} hasNext={page < totalPages} totalPages={totalPages} to={pathOf} />
      )}
    </Layout>
  );
}

const COLUMNS: Column[] = [
  { text: 'requests.asked' },
  { text: 'request.answersTitle', shownAt: 'wide' },
  { text: 'requests.openUntilHeading', shownAt: 'wide' },
  { text: 'list.createdHeading', shownAt: 'desk' },
  { text: 'list.actions', isTitleHidden: true },
];

function Nothing({ page, lastPage }: { page: number; lastPage: number }) {
  const t = useTexts();
  if (page > 1) return <PastEnd lastPage={pathOf(lastPage)} />;
  return (
    <Empty
      title={t.text('requests.none')}
      action={
        <LinkButton to="/requests/new" look="primary" icon="inbox">
          {t.text('requests.create')}
        </LinkButton>
      }
    >
      {t.text('requests.noneText')}
    </Empty>
  );
}

function RequestRow({ request, unread }: ListedSecretRequest) {
  const t = useTexts();
  const isOpen = request.state === 'open';
  const answered = request.answers - request.answers_remaining;
  const answers =
    unread > 0
      ? t.text('requests.newAnswers', { count: unread })
      : answered > 0
        ? t.text('requests.answered', { answered, max: request.answers })
        : t.text('requests.noAnswer');
  return (
    <Row
      title={
        <RowTitle
          icon={<Icon name="inbox" />}
          marks={request.client_encrypted && <Mark icon="shield" text={t.text('endToEnd.badge')} />}
        >
          {request.url_token === '' ? (
            t.text('list.unreadable')
          ) : (
            <Link to={`/requests/${request.url_token}`}>
              <Data>{nameOf(request)}</Data>
            </Link>
          )}
        </RowTitle>
      }
      line={
        <>
          {answers}
          {DOT}
          {isOpen ? (
            <TextWithTime of="requests.openUntil" at={request.close_after_at} format="brief" />
          ) : (
            t.text('requests.closed')
          )}
        </>
      }
      actions={request.url_token === '' ? undefined : <Actions request={request} />}
    >
      <Cell>
        <Status kind={unread > 0 ? 'done' : answered > 0 ? 'over' : 'open'}>{answers}</Status>
      </Cell>
      <Cell>
        {isOpen ? (
          <Time at={request.close_after_at} format="brief" />
        ) : (
          <Phrase>{t.text('requests.closed')}</Phrase>
        )}
      </Cell>
      <Cell shownAt="desk" isQuiet>
        <Time at={request.created_at} format="brief" />
      </Cell>
    </Row>
  );
}

function Actions({ request }: { request: OwnRequestDto }) {
  const t = useTexts();
  const { url_token: urlToken, html_url: url } = request;
  const isOpen = request.state === 'open';
  const link = `link-${urlToken}`;
  return (
    <>
      {isOpen && (
        <span class="visually-hidden" id={link} aria-hidden="true" {...UNTRANSLATED}>
          {url}
        </span>
      )}
      <RowMenu label={t.text('list.more', { name: nameOf(request) })}>
        <MenuLink to={`/requests/${urlToken}`} icon="inbox">
          {t.text('request.openAnswer')}
        </MenuLink>
        {isOpen && (
          <>
            <MenuButton type="button" icon="copy" hidden data-copy={link}>
              {t.text('copy.linkButton')}
            </MenuButton>
            <MenuLink to={`/requests/${urlToken}#${CLOSE}`} icon="ban">
              {t.text('request.close')}
            </MenuLink>
          </>
        )}
      </RowMenu>
    </>
  );
}

/** What its owner calls a request. */
function nameOf({ name, request }: OwnRequestDto): string {
  return name || firstLine(request);
}
