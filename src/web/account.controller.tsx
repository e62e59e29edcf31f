import { Body, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MemberPage } from '../auth/openness.js';
import { SessionsService } from '../auth/sessions.service.js';
import { SignInService } from '../auth/sign-in.service.js';
import type { User } from '../auth/user.entity.js';
import { AccountRefused } from '../auth/users.service.js';
import { clientAddress } from '../http/client-address.js';
import { AccountRemovalService } from '../pushes/account-removal.service.js';
import { BrowserSessions } from './browser-sessions.js';
import type { Form } from './form.js';
import { PostForm } from './form.js';
import { PageAnswer, SeeOther } from './page-answer.js';
import { PageController } from './page-controller.js';
import { SignedIn } from './signed-in.js';
import type { AccountForm } from './views/account.js';
import { Account } from './views/account.js';
import type { Faults } from './views/fields.js';

/** By the parameter `done`; a Map, because a plain object has names of its own, such as `constructor`. */
const NOTICES = new Map<unknown, string>([
  ['email', 'Your e-mail address is changed.'],
  ['password', 'Your password is changed, and every other browser is signed out.'],
]);

/** What people change about their own account. All but signing out asks for the password again. */
@PageController()
export class AccountController {
  constructor(
    private readonly signIns: SignInService,
    private readonly sessions: SessionsService,
    private readonly browserSessions: BrowserSessions,
    private readonly removal: AccountRemovalService,
  ) {}

  @Get('users/edit')
  @MemberPage()
  show(@SignedIn() user: User, @Query('done') done: unknown): PageAnswer {
    return new PageAnswer(<Account email={user.email} notice={NOTICES.get(done)} />);
  }

  @PostForm('users/edit/email')
  @MemberPage()
  changeEmail(@SignedIn() user: User, @Body() form: Form, @Req() request: Request) {
    return this.withPassword('email', user, form, request, async () => {
      await this.signIns.changeEmail(user, form.email ?? '', clientAddress(request));
      return new SeeOther('/users/edit?done=email');
    });
  }

  @PostForm('users/edit/password')
  @MemberPage()
  changePassword(
    @SignedIn() user: User,
    @Body() form: Form,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.withPassword('password', user, form, request, async () => {
      const ip = clientAddress(request);
      const session = await this.signIns.changePassword(user, form.new_password ?? '', ip);
      this.browserSessions.give(session, request, response);
      return new SeeOther('/users/edit?done=password');
    });
  }

  @PostForm('users/edit/delete')
  @MemberPage()
  delete(
    @SignedIn() user: User,
    @Body() form: Form,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.withPassword('delete', user, form, request, async () => {
      await this.removal.remove(user);
      this.browserSessions.give(undefined, request, response);
      return new SeeOther('/users/sign_in?done=deleted');
    });
  }

  @PostForm('users/sign_out_everywhere')
  @MemberPage()
  async signOutEverywhere(
    @SignedIn() user: User,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    await this.sessions.endAll(user);
    this.browserSessions.give(undefined, request, response);
    return new SeeOther('/users/sign_in?done=signed_out');
  }

  /** Does what a form asks for when the password in it is right, and shows the form again where it is not. */
  private async withPassword(
    form: AccountForm,
    user: User,
    { password = '' }: Form,
    request: Request,
    act: () => Promise<SeeOther>,
  ): Promise<PageAnswer | SeeOther> {
    const again = (faults: Faults) =>
      new PageAnswer(<Account email={user.email} form={form} faults={faults} />, 422);
    if (!(await this.signIns.check(user.email, password, clientAddress(request)))) {
      return again({ password: ['This is not your password.'] });
    }
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AccountRefused)) throw error;
      return again({ [error.field === 'password' ? 'new_password' : error.field]: [error.message] });
    }
  }
}
