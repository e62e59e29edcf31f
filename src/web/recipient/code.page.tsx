import { Body, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor, VisitorPipe } from '../../platform/http/visitor.js';
import { digestOf } from '../../platform/random/random.js';
import { CodeRequestsService } from '../../pushes/recipients/code-requests.service.js';
import { VisitsService } from '../../pushes/retrieve/visits.service.js';
import type { Language } from '../../texts/languages.js';
import type { FormFields } from '../components/filled-form.js';
import { PostForm } from '../forms/form.js';
import { PageController, SeeOther } from '../pages/page-controller.js';
import { PageLanguage } from '../pages/parameters.js';
import { UrlTokenPipe } from '../pages/paths.js';
import { AskedCodes } from './asked-codes.js';
import { Open } from './open.js';

/** The first step of a recipient who must be one of those that the sender has named. */
@PageController()
@OnGateway()
export class AskForCodeController {
  constructor(
    private readonly codes: CodeRequestsService,
    private readonly visits: VisitsService,
    private readonly askedCodes: AskedCodes,
    private readonly visitors: VisitorPipe,
  ) {}

  @PostForm('p/:url_token/code', {
    again: (page: AskForCodeController, { request }) => page.viewAgain(request),
  })
  @PublicPage()
  async ask(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @Body() { email: typed }: FormFields,
    @CurrentVisitor() visitor: Visitor,
    @PageLanguage() language: Language,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const secret = this.askedCodes.secretFor(urlToken, request);
    const asked = { email: typed, language, browser: digestOf(secret) };
    const email = await this.codes.ask(urlToken, asked, visitor);
    this.askedCodes.keep(urlToken, { email, secret }, request, response);
    return new SeeOther(`/p/${urlToken}`);
  }

  private async viewAgain(request: Request) {
    const urlToken = String(request.params.url_token);
    const visitor = this.visitors.transform(request);
    const requirements = await this.visits.visit(urlToken, visitor);
    return <Open urlToken={urlToken} requirements={requirements} visitor={visitor} />;
  }
}
