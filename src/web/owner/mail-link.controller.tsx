import { Body, Injectable, Param } from '@nestjs/common';
import type { Request } from 'express';
import { SignedInPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { ListPage } from '../../http/paging/list-page.js';
import type { Visitor } from '../../http/visitor.js';
import { CurrentVisitor, VisitorPipe } from '../../http/visitor.js';
import { LinkMailsService } from '../../pushes/link-mails/link-mails.service.js';
import { OwnPushesService } from '../../pushes/owner-lists/own-pushes.service.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { mailedQuery } from '../pages/mailed.js';
import { UrlTokenPipe } from '../pages/url-token.pipe.js';
import { PageController } from '../pages/page-controller.js';
import { SeeOther } from '../pages/page-response.js';
import { Audit } from '../views/audit.js';
import type { FieldErrors } from '../views/fields.js';

/** Shows the page of the push again. */
@Injectable()
class MailLinkErrors extends FormErrorsInterceptor {
  constructor(
    private readonly ownPushes: OwnPushesService,
    private readonly visitors: VisitorPipe,
  ) {
    super();
  }

  protected async view(errors: FieldErrors, typed: Form, _user: User | undefined, request: Request) {
    const visitor = this.visitors.transform(request);
    const activity = await this.ownPushes.activity(
      String(request.params.url_token),
      visitor,
      ListPage.parse('1'),
    );
    return <Audit activity={activity} rejected={{ typed: typed.notify_emails_to, errors }} />;
  }
}

/** Has the link of the user's own push sent by mail. */
@PageController()
export class MailLinkController {
  constructor(private readonly linkMails: LinkMailsService) {}

  @PostForm('p/:url_token/notify_emails', MailLinkErrors)
  @SignedInPage()
  async send(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Body() fields: Form,
  ): Promise<SeeOther> {
    const mails = await this.linkMails.send(urlToken, fields, visitor);
    return new SeeOther(`/p/${urlToken}/audit${mailedQuery(mails)}`);
  }
}
