import { Get, Param, Query } from '@nestjs/common';
import { MemberPage } from '../auth/access.decorators.js';
import { Page } from '../http/page.js';
import type { Visitor } from '../http/visitor.js';
import { CurrentVisitor } from '../http/visitor.js';
import { PushesService } from '../pushes/pushes.service.js';
import { PageAnswer } from './page-answer.js';
import { PageController } from './page-controller.js';
import { UrlTokenPipe } from './url-token.pipe.js';
import { Audit } from './views/audit.js';
import { Dashboard } from './views/dashboard.js';

/** The pushes of the signed-in user. */
@PageController()
export class DashboardController {
  constructor(private readonly pushes: PushesService) {}

  @Get('pushes')
  @MemberPage()
  async showActive(@CurrentVisitor() visitor: Visitor, @Query('page') page: unknown): Promise<PageAnswer> {
    const list = await this.pushes.listActive(visitor, Page.parse(page));
    return new PageAnswer(<Dashboard list={list} which="active" />);
  }

  @Get('pushes/expired')
  @MemberPage()
  async showExpired(@CurrentVisitor() visitor: Visitor, @Query('page') page: unknown): Promise<PageAnswer> {
    const list = await this.pushes.listExpired(visitor, Page.parse(page));
    return new PageAnswer(<Dashboard list={list} which="expired" />);
  }

  @Get('p/:url_token/audit')
  @MemberPage()
  async showAudit(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Query('page') page: unknown,
  ): Promise<PageAnswer> {
    const push = await this.pushes.findOwn(urlToken, visitor);
    return new PageAnswer(<Audit push={push} log={await this.pushes.listAudit(urlToken, visitor, page)} />);
  }
}
