import { Get, Param, Query } from '@nestjs/common';
import { PublicPage } from '../../auth/access.decorators.js';
import type { Visitor } from '../../http/visitor.js';
import { CurrentVisitor } from '../../http/visitor.js';
import { PushesService } from '../../pushes/push/pushes.service.js';
import { PageResponse } from '../pages/page-response.js';
import { PageController } from '../pages/page-controller.js';
import { mailedIn } from '../pages/mailed.js';
import { UrlTokenPipe } from '../pages/url-token.pipe.js';
import { Created } from '../views/created.js';

/** Shows a link and its QR code to anyone who has the link: its sender, and clients, which append `/preview` to it. */
@PageController()
export class PreviewController {
  constructor(private readonly pushes: PushesService) {}

  /** Shows the link of an active push and its QR code, without counting a view. */
  @Get(['p/:url_token/preview', 'p/:url_token/r/preview'])
  @PublicPage()
  async show(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Query() query: Record<string, unknown>,
  ): Promise<PageResponse> {
    const described = await this.pushes.describe(urlToken, visitor);
    return new PageResponse(<Created {...described} mailed={mailedIn(query)} />);
  }
}
