import { Body, Get, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { SignedInPage } from '../../auth/access.decorators.js';
import { ListPage } from '../../http/paging/list-page.js';
import { QueuedByAccount } from '../../http/account-queues.js';
import { CloseSignal } from '../../http/close-signal.js';
import type { Visitor } from '../../http/visitor.js';
import { CurrentVisitor } from '../../http/visitor.js';
import type { PushState } from '../../pushes/owner-lists/own-push-filter.js';
import { OwnPushFilter } from '../../pushes/owner-lists/own-push-filter.js';
import { OwnPushesService } from '../../pushes/owner-lists/own-pushes.service.js';
import { SealedSearches } from '../../pushes/owner-lists/sealed-searches.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import type { SelectedPushes } from './url-tokens.interceptor.js';
import { UrlTokensInterceptor } from './url-tokens.interceptor.js';
import { deletionOutcomeIn, withDeletionOutcome } from './deletion-outcome.js';
import { listPath } from '../views/list-path.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { PageController } from '../pages/page-controller.js';
import { mailedIn } from '../pages/mailed.js';
import { UrlTokenPipe } from '../pages/url-token.pipe.js';
import { Audit } from '../views/audit.js';
import { Dashboard } from '../views/dashboard.js';
import { DeleteSeveral } from '../views/delete-several.js';

/** The pushes of the signed-in user. */
@PageController()
export class DashboardController {
  constructor(
    private readonly ownPushes: OwnPushesService,
    private readonly searches: SealedSearches,
  ) {}

  @Get('pushes')
  @QueuedByAccount()
  @SignedInPage()
  showActive(
    @CurrentVisitor() visitor: Visitor,
    @Query() query: Record<string, unknown>,
    @CloseSignal() signal: AbortSignal,
  ): Promise<PageResponse> {
    return this.show(visitor, query, 'active', signal);
  }

  @Get('pushes/expired')
  @QueuedByAccount()
  @SignedInPage()
  showExpired(
    @CurrentVisitor() visitor: Visitor,
    @Query() query: Record<string, unknown>,
    @CloseSignal() signal: AbortSignal,
  ): Promise<PageResponse> {
    return this.show(visitor, query, 'expired', signal);
  }

  /** Leads to a list whose URL has the searched text only sealed, so that it can be reloaded and paged. */
  @PostForm('pushes/search')
  @SignedInPage()
  search(@CurrentVisitor() visitor: Visitor, @Body() form: Form): SeeOther {
    const filter = OwnPushFilter.parse(form, this.searches.seal(form.q, visitor), 'active');
    return new SeeOther(listPath('/pushes', filter, 1));
  }

  @Post('pushes/delete')
  @QueuedByAccount()
  @UseInterceptors(UrlTokensInterceptor)
  @SignedInPage()
  async deleteSeveral(
    @CurrentVisitor() visitor: Visitor,
    @Body() { references, isConfirmed, next }: SelectedPushes,
  ): Promise<PageResponse | SeeOther> {
    if (references.length === 0) return new SeeOther(next);
    if (!isConfirmed) {
      const pushes = await this.ownPushes.findSeveral(visitor, references);
      return new PageResponse(<DeleteSeveral pushes={pushes} next={next} />);
    }
    return new SeeOther(withDeletionOutcome(next, await this.ownPushes.deleteSeveral(visitor, references)));
  }

  @Get('p/:url_token/audit')
  @QueuedByAccount()
  @SignedInPage()
  async showAudit(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Query() query: Record<string, unknown>,
  ): Promise<PageResponse> {
    const activity = await this.ownPushes.activity(urlToken, visitor, ListPage.parse(query.page));
    return new PageResponse(<Audit activity={activity} mailed={mailedIn(query)} />);
  }

  private async show(
    visitor: Visitor,
    query: Record<string, unknown>,
    which: PushState & ('active' | 'expired'),
    signal: AbortSignal,
  ): Promise<PageResponse> {
    const filter = OwnPushFilter.parse(query, this.searches.open(query.search, visitor), which);
    const list = await this.ownPushes.list(visitor, filter, ListPage.parse(query.page), signal);
    const counts = await this.ownPushes.count(visitor, list.counts);
    return new PageResponse(
      <Dashboard
        list={list}
        which={which}
        filter={filter}
        counts={counts}
        outcome={deletionOutcomeIn(query)}
      />,
    );
  }
}
