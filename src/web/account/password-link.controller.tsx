import { Body, Get, Injectable, Param } from '@nestjs/common';
import type { Request } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { PasswordLinksService } from '../../auth/links/password-links.service.js';
import { ChangePasswordDto } from './change-password.dto.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { ChoosePassword } from '../views/choose-password.js';
import type { FieldErrors } from '../views/fields.js';
import { RequestedBy } from './requested-by.js';

@Injectable()
class PasswordLinkErrors extends FormErrorsInterceptor {
  constructor(private readonly links: PasswordLinksService) {
    super();
  }

  protected async view(errors: FieldErrors, _typed: Form, _user: unknown, { params }: Request) {
    const { email } = await this.links.accountOf(String(params.token));
    return <ChoosePassword email={email} errors={errors} />;
  }

  protected override fieldOf(): string {
    return 'new_password';
  }
}

/** Choosing a password with a link from an administrator or a mail. Only sending the form uses the link up. */
@PageController()
export class PasswordLinkController {
  constructor(private readonly links: PasswordLinksService) {}

  @Get('users/password/:token')
  @PublicPage()
  async show(@Param('token') token: string): Promise<PageResponse> {
    const { email } = await this.links.accountOf(token);
    return new PageResponse(<ChoosePassword email={email} />);
  }

  @PostForm('users/password/:token', PasswordLinkErrors)
  @PublicPage()
  async use(
    @Param('token') token: string,
    @Body() { new_password }: ChangePasswordDto,
    @RequestedBy() { ip, language }: Requester,
  ): Promise<SeeOther> {
    await this.links.use(token, new_password, ip, language);
    return new SeeOther('/users/sign_in?done=password_set');
  }
}
