import { Get, Param } from '@nestjs/common';
import { OpenPage } from '../auth/access.decorators.js';
import type { Visitor } from '../http/visitor.js';
import { CurrentVisitor } from '../http/visitor.js';
import { PushesService } from '../pushes/pushes.service.js';
import { PageAnswer } from './page-answer.js';
import { PageController } from './page-controller.js';
import { UrlTokenPipe } from './url-token.pipe.js';
import { Preview } from './views/preview.js';

/** Where a link and its QR code are shown to whoever has the link: programs put `/preview` after it. */
@PageController()
export class PreviewController {
  constructor(private readonly pushes: PushesService) {}

  /** Shows the link of an active push and its QR code, and counts nothing. */
  @Get(['p/:url_token/preview', 'p/:url_token/r/preview'])
  @OpenPage()
  async show(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<PageAnswer> {
    await this.pushes.openRequirements(urlToken); // what has ended is the same page as what never was
    return new PageAnswer(<Preview {...await this.pushes.preview(urlToken, visitor)} />);
  }
}
