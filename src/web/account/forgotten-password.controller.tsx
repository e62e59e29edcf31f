import { Body, Get, Injectable, UseGuards } from '@nestjs/common';
import { PublicPage } from '../../auth/access.decorators.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { MailRequestsService } from '../../auth/by-mail/mail-requests.service.js';
import { ChangeEmailDto } from './change-email.dto.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse } from '../pages/page-response.js';
import type { FieldErrors } from '../views/fields.js';
import { ForgottenPassword } from '../views/forgotten-password.js';
import { MailSent } from '../views/mail-sent.js';
import { MailGuard } from './mail.guard.js';
import { RequestedBy } from './requested-by.js';

@Injectable()
class RequestErrors extends FormErrorsInterceptor {
  protected view(errors: FieldErrors, { email }: Form) {
    return <ForgottenPassword email={email} errors={errors} />;
  }
}

/** Asking for a mail with a link for a new password; PasswordLinkController has the page of the link. */
@PageController()
@UseGuards(MailGuard)
export class ForgottenPasswordController {
  constructor(private readonly requests: MailRequestsService) {}

  @Get('users/password')
  @PublicPage()
  show(): PageResponse {
    return new PageResponse(<ForgottenPassword />);
  }

  @PostForm('users/password', RequestErrors)
  @PublicPage()
  async request(
    @Body() { email }: ChangeEmailDto,
    @RequestedBy() requester: Requester,
  ): Promise<PageResponse> {
    await this.requests.newPassword(email, requester);
    return new PageResponse(<MailSent of="mailSent.newPassword" email={email} />);
  }
}
