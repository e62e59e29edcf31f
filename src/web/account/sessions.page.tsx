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
import { Layout } from '../components/layout.js';
import { PagesOfList } from '../components/pages-of-list.js';
import { FlashMessage, Form, useTexts, Data, LinkLine } from '../components/site.js';
import { Table } from '../components/table.js';
import { Time } from '../components/words.js';
import { PostForm } from '../forms/form.js';
import { PageController, PageResponse, SeeOther, ReturnAfterSignIn } from '../pages/page-controller.js';
import { CurrentSession, CurrentUser, Flash } from '../pages/parameters.js';

const DONE = { ended: 'sessions.ended', others: 'sessions.othersEnded' } as const;

const COLUMNS = [
  'sessions.browser',
  'sessions.address',
  'sessions.since',
  'sessions.lastSeen',
  'sessions.action',
] as const;

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
    <Layout title={t.text('sessions.title')}>
      <h1>{t.text('sessions.title')}</h1>
      <FlashMessage text={flash} />
      <Table headings={COLUMNS} class="events listing">
        {rows.map((session) => (
          <Row key={session.id} session={session} isOwn={session.id === ownId} />
        ))}
      </Table>
      <PagesOfList page={page} hasNext={hasNext} to={(number) => `/users/sessions?page=${number}`} />
      {hasOthers && (
        <Form to="/users/sessions/end_others">
          <button class="secondary">{t.text('sessions.endOthers')}</button>
        </Form>
      )}
      <LinkLine to="/users/edit" text="secondFactor.back" />
    </Layout>
  );
}

function Row({ session, isOwn }: { session: Session; isOwn: boolean }) {
  const { id, userAgent, ip, createdAt, lastSeenAt } = session;
  const t = useTexts();
  return (
    <tr role="row">
      <td role="cell" class="subject">
        <strong>{browserInWords(userAgent ?? '', t)}</strong>
        {isOwn && <div class="quiet">{t.text('sessions.thisBrowser')}</div>}
      </td>
      <td role="cell" data-label={t.text('sessions.address')}>
        <Data>{ip ?? ''}</Data>
      </td>
      <td role="cell" data-label={t.text('sessions.since')}>
        <Time at={createdAt} format="short" />
      </td>
      <td role="cell" data-label={t.text('sessions.lastSeen')}>
        <Time at={lastSeenAt} format="short" />
      </td>
      <td role="cell">
        <Form to={isOwn ? '/users/sign_out' : `/users/sessions/${id}/end`}>
          <button class="secondary small">{t.text(isOwn ? 'site.signOut' : 'sessions.end')}</button>
        </Form>
      </td>
    </tr>
  );
}
