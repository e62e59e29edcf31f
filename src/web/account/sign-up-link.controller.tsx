import { Body, Get, Injectable, Param, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import { EmailLinksService } from '../../auth/links/email-links.service.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { MailRequestsService } from '../../auth/by-mail/mail-requests.service.js';
import { clientAddress } from '../../http/client-address.js';
import { ChangeEmailDto } from './change-email.dto.js';
import { ChangePasswordDto } from './change-password.dto.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { ChoosePassword } from '../views/choose-password.js';
import type { FieldErrors } from '../views/fields.js';
import { MailSent } from '../views/mail-sent.js';
import { SignUp } from '../views/sign-in.js';
import { MailGuard } from './mail.guard.js';
import { RequestedBy } from './requested-by.js';
import { SignUpsGuard } from './sign-ups.guard.js';

@Injectable()
class RequestErrors extends FormErrorsInterceptor {
  protected view(errors: FieldErrors, { email }: Form) {
    return <SignUp email={email} errors={errors} />;
  }
}

@Injectable()
class PasswordErrors extends FormErrorsInterceptor {
  constructor(private readonly links: EmailLinksService) {
    super();
  }

  protected async view(errors: FieldErrors, _typed: Form, _user: unknown, { params }: Request) {
    return <ChoosePassword email={await this.links.findForSignUp(String(params.token))} errors={errors} />;
  }

  protected override fieldOf(): string {
    return 'new_password';
  }
}

/**
 * Signing up where mail is sent. Whoever reads the mail of the email address chooses the password, and before that
 * there is no account. Only sending the form uses the link up.
 */
@PageController()
@UseGuards(MailGuard, SignUpsGuard)
export class SignUpLinkController {
  constructor(
    private readonly requests: MailRequestsService,
    private readonly links: EmailLinksService,
  ) {}

  /** The response shows the email address that was typed, so it is no redirect. */
  @PostForm('users/sign_up_link', RequestErrors)
  @PublicPage()
  async request(
    @Body() { email }: ChangeEmailDto,
    @RequestedBy() requester: Requester,
  ): Promise<PageResponse> {
    await this.requests.signUp(email, requester);
    return new PageResponse(<MailSent of="mailSent.signUp" email={email} />);
  }

  @Get('users/sign_up_link/:token')
  @PublicPage()
  async show(@Param('token') token: string): Promise<PageResponse> {
    return new PageResponse(<ChoosePassword email={await this.links.findForSignUp(token)} />);
  }

  @PostForm('users/sign_up_link/:token', PasswordErrors)
  @PublicPage()
  async use(
    @Param('token') token: string,
    @Body() { new_password }: ChangePasswordDto,
    @Req() request: Request,
  ): Promise<SeeOther> {
    await this.links.signUp(token, new_password, clientAddress(request));
    return new SeeOther('/users/sign_in?done=account_created');
  }
}
