import { Get, Injectable, Param, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { SignedInPage } from '../../auth/access.decorators.js';
import { EmailLinksService } from '../../auth/links/email-links.service.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { MailRequestsService } from '../../auth/by-mail/mail-requests.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { Language } from '../../texts/languages.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import type { FieldErrors } from '../views/fields.js';
import { VerifyEmail } from '../views/verify-email.js';
import { MailGuard } from './mail.guard.js';
import { PageLanguage, RequestedBy } from './requested-by.js';
import { CurrentUser } from '../pages/current-user.js';

@Injectable()
class VerifyEmailErrors extends FormErrorsInterceptor {
  constructor(private readonly links: EmailLinksService) {
    super();
  }

  protected async view(errors: FieldErrors, _typed: Form, user: User, { params }: Request) {
    const email = await this.links.findFor(user, String(params.token));
    return <VerifyEmail email={email} current={user.email} errors={errors} />;
  }
}

/**
 * Verifying the email address of an account, or a new one, by a link that was sent to it. Only sending the form uses it
 * up.
 */
@PageController()
@UseGuards(MailGuard)
export class EmailLinkController {
  constructor(
    private readonly requests: MailRequestsService,
    private readonly links: EmailLinksService,
  ) {}

  /** For the email address that the account has, from before mail was sent. */
  @PostForm('users/edit/verification')
  @SignedInPage()
  async request(@CurrentUser() user: User, @RequestedBy() requester: Requester): Promise<SeeOther> {
    await this.requests.email(user, user.email, requester);
    return new SeeOther('/users/edit?done=email_sent');
  }

  @Get('users/email/:token')
  @SignedInPage()
  async show(@CurrentUser() user: User, @Param('token') token: string): Promise<PageResponse> {
    const email = await this.links.findFor(user, token);
    return new PageResponse(<VerifyEmail email={email} current={user.email} />);
  }

  @PostForm('users/email/:token', VerifyEmailErrors)
  @SignedInPage()
  async use(
    @CurrentUser() user: User,
    @Param('token') token: string,
    @PageLanguage() language: Language,
  ): Promise<SeeOther> {
    await this.links.use(user, token, language);
    return new SeeOther('/users/edit?done=email_verified');
  }
}
