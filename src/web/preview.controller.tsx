import { Get, Param } from '@nestjs/common';
import { OpenPage } from '../auth/access.decorators.js';
import type { Visitor } from '../http/visitor.js';
import { CurrentVisitor } from '../http/visitor.js';
import { PushesService } from '../pushes/pushes.service.js';
import { PageAnswer } from './page-answer.js';
import { PageController } from './page-controller.js';
import { UrlTokenPipe } from './url-token.pipe.js';
import { Preview } from './views/preview.js';

/** Shows a link and its QR code to anyone who has the link: clients append `/preview` to it. */
@PageController()
export class PreviewController {
  constructor(private readonly pushes: PushesService) {}

  /** Shows the link of an active push and its QR code, without counting a view. */
  @Get(['p/:url_token/preview', 'p/:url_token/r/preview'])
  @OpenPage()
  async show(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<PageAnswer> {
    await this.pushes.openRequirements(urlToken); // ended pushes get the same 404 as ones that never existed
    return new PageAnswer(<Preview {...await this.pushes.preview(urlToken, visitor)} />);
  }
}
