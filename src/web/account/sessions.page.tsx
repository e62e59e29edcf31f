import { Get, Param, Query } from '@nestjs/common';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import { SignedInPage } from '../../auth/access.decorators.js';
import type { Session } from '../../auth/entities/session.entity.js';
import type { User } from '../../auth/entities/user.entity.js';
import { browserInWords } from '../../auth/sessions/browser-in-words.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Button } from '../components/button.js';
import { BackLink, Heading } from '../components/heading.js';
import { Icon } from '../components/icon.js';
import { Layout } from '../components/layout.js';
import { PagesOfList } from '../components/pages-of-list.js';
import { FlashMessage, Form, useTexts, Data } from '../components/site.js';
import type { Column } from '../components/table.js';
import { Cell, Row, RowTitle, Table } from '../components/table.js';
import { DOT, Time } from '../components/words.js';
import { PostForm } from '../forms/form.js';
import { PageController, PageResponse, SeeOther, ReturnAfterSignIn } from '../pages/page-controller.js';
import { CurrentSession, CurrentUser, Flash } from '../pages/parameters.js';

const DONE = { ended: 'sessions.ended', others: 'sessions.othersEnded' } as const;

const COLUMNS: readonly Column[] = [
  { text: 'sessions.browser' },
  { text: 'sessions.address', shownAt: 'wide' },
  { text: 'sessions.since', shownAt: 'desk' },
  { text: 'sessions.lastSeen', shownAt: 'wide' },
  { text: 'sessions.action', isTitleHidden: true },
];

/** In which browsers the account is signed in to. */
@PageController()
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get('users/sessions')
  @ReturnAfterSignIn()
  @QueuedByAccount()
  @SignedInPage()
  async show(
    @CurrentUser() user: User,
    @CurrentSession() session: Session,
    @Query('page') page: unknown,
    @Flash(DONE) flash: TextKey | undefined,
  ): Promise<PageResponse> {
    const list = await this.sessions.pageOf(user, ListPage.parse(page));
    return new PageResponse(<Sessions list={list} ownId={session.id} flash={flash} />);
  }

  @PostForm('users/sessions/:id/end')
  @SignedInPage()
  async end(@CurrentUser() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.sessions.endOne(user, id);
    return new SeeOther('/users/sessions?done=ended');
  }

  @PostForm('users/sessions/end_others')
  @SignedInPage()
  async endOthers(@CurrentUser() user: User, @CurrentSession() session: Session): Promise<SeeOther> {
    await this.sessions.endOthers(user, session);
    return new SeeOther('/users/sessions?done=others');
  }
}

interface SessionsProps {
  list: UncountedPage<Session>;
  /** The id of the session in which the page is seen. */
  ownId: string;
  flash?: TextKey;
}

function Sessions({ list: { rows, page, hasNext }, ownId, flash }: SessionsProps) {
  const t = useTexts();
  const hasOthers = hasNext || page > 1 || rows.length > 1;
  return (
    <Layout title={t.text('sessions.title')} within="/users/edit" width="list">
      <BackLink to="/users/edit" text="secondFactor.back" />
      <Heading title={t.text('sessions.title')}>
        {hasOthers && (
          <Form to="/users/sessions/end_others">
            <Button>{t.text('sessions.endOthers')}</Button>
          </Form>
        )}
      </Heading>
      <FlashMessage text={flash} />
      <Table caption="sessions.title" columns={COLUMNS}>
        {rows.map((session) => (
          <SessionRow key={session.id} session={session} isOwn={session.id === ownId} />
        ))}
      </Table>
      <PagesOfList page={page} hasNext={hasNext} to={(number) => `/users/sessions?page=${number}`} />
    </Layout>
  );
}

function SessionRow({ session, isOwn }: { session: Session; isOwn: boolean }) {
  const { id, userAgent, ip, createdAt, lastSeenAt } = session;
  const t = useTexts();
  const address = ip ? <Data>{ip}</Data> : undefined;
  return (
    <Row
      title={
        <RowTitle icon={<Icon name="browser" />} more={isOwn ? t.text('sessions.thisBrowser') : undefined}>
          {browserInWords(userAgent ?? '', t)}
        </RowTitle>
      }
      line={
        <>
          {address && (
            <>
              {address}
              {DOT}
            </>
          )}
          <Time at={lastSeenAt} format="short" />
        </>
      }
      actions={
        <Form to={isOwn ? '/users/sign_out' : `/users/sessions/${id}/end`}>
          <Button size="small">{t.text(isOwn ? 'site.signOut' : 'sessions.end')}</Button>
        </Form>
      }
    >
      <Cell>{address ?? '–'}</Cell>
      <Cell shownAt="desk" isQuiet>
        <Time at={createdAt} format="short" />
      </Cell>
      <Cell isQuiet>
        <Time at={lastSeenAt} format="short" />
      </Cell>
    </Row>
  );
}
