import { Body, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignedInPage } from '../../auth/access.decorators.js';
import { EmailChangesService } from '../../auth/by-mail/email-changes.service.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';
import { CredentialsService } from '../../auth/sign-in/credentials.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AccountRemovalService } from '../../account-removal/account-removal.service.js';
import { BrowserSessions } from './browser-sessions.js';
import { ChangeEmailDto } from './change-email.dto.js';
import { ChangePasswordDto } from './change-password.dto.js';
import { ConfirmPasswordInterceptor } from '../forms/confirm-password.interceptor.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { PageController } from '../pages/page-controller.js';
import { RequestedBy } from './requested-by.js';
import { CurrentUser } from '../pages/current-user.js';
import type { TextKey } from '../../texts/en.js';
import type { AccountForm } from '../views/account.js';
import { Account } from '../views/account.js';
import type { FieldErrors } from '../views/fields.js';

/** Notices by the parameter `done`; a Map, because a plain object inherits names such as `constructor`. */
const FLASH_MESSAGES = new Map<unknown, TextKey>([
  ['email', 'account.emailChanged'],
  ['email_sent', 'account.emailSent'],
  ['email_verified', 'account.emailVerified'],
  ['password', 'account.passwordChanged'],
]);

/** Which field an error of each form is about. */
const FIELDS = { email: 'email', password: 'new_password', delete: 'form' } satisfies Record<
  AccountForm,
  string
>;

/** Shows the page again with the errors of one of its forms. */
class AccountErrors extends FormErrorsInterceptor {
  constructor(private readonly form: AccountForm) {
    super();
  }

  protected view(errors: FieldErrors, _typed: Form, user: User) {
    return <Account user={user} form={this.form} errors={errors} />;
  }

  protected override fieldOf(): string {
    return FIELDS[this.form];
  }
}

/** Changes to a user's own account. All of them except signing out require the password again. */
@PageController()
export class AccountController {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly emailChanges: EmailChangesService,
    private readonly sessions: SessionsService,
    private readonly browserSessions: BrowserSessions,
    private readonly removal: AccountRemovalService,
  ) {}

  @Get('users/edit')
  @SignedInPage()
  show(@CurrentUser() user: User, @Query('done') done: unknown): PageResponse {
    return new PageResponse(<Account user={user} notice={FLASH_MESSAGES.get(done)} />);
  }

  @PostForm('users/edit/email', new AccountErrors('email'), ConfirmPasswordInterceptor)
  @SignedInPage()
  async changeEmail(
    @CurrentUser() user: User,
    @Body() { email }: ChangeEmailDto,
    @RequestedBy() requester: Requester,
  ): Promise<SeeOther> {
    return new SeeOther(`/users/edit?done=${await this.emailChanges.change(user, email, requester)}`);
  }

  @PostForm('users/edit/password', new AccountErrors('password'), ConfirmPasswordInterceptor)
  @SignedInPage()
  async changePassword(
    @CurrentUser() user: User,
    @Body() { new_password }: ChangePasswordDto,
    @RequestedBy() { ip, language }: Requester,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const session = await this.credentials.changePassword(user, new_password, ip, language);
    this.browserSessions.setCookie(session, request, response);
    return new SeeOther('/users/edit?done=password');
  }

  @PostForm('users/edit/delete', new AccountErrors('delete'), ConfirmPasswordInterceptor)
  @SignedInPage()
  async delete(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    await this.removal.remove(user);
    this.browserSessions.setCookie(undefined, request, response);
    return new SeeOther('/users/sign_in?done=deleted');
  }

  @PostForm('users/sign_out_everywhere')
  @SignedInPage()
  async signOutEverywhere(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    await this.sessions.endAll(user);
    this.browserSessions.setCookie(undefined, request, response);
    return new SeeOther('/users/sign_in?done=signed_out');
  }
}
