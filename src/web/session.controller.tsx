import { Body, Get, NotFoundException, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OpenPage } from '../auth/openness.js';
import { SignInService } from '../auth/sign-in.service.js';
import type { User } from '../auth/user.entity.js';
import { AccountRefused } from '../auth/users.service.js';
import { clientAddress } from '../http/client-address.js';
import { Settings } from '../settings/settings.js';
import { BrowserSessions } from './browser-sessions.js';
import type { Form } from './form.js';
import { PostForm } from './form.js';
import { nextPath } from './next-path.js';
import { PageAnswer, SeeOther } from './page-answer.js';
import { PageController } from './page-controller.js';
import { SignedIn } from './signed-in.js';
import { SignIn, SignUp } from './views/sign-in.js';

/** By the parameter `done`; a Map, because a plain object has names of its own, such as `constructor`. */
const NOTICES = new Map<unknown, string>([
  ['signed_up', 'If this e-mail address was free, the account is yours now. Sign in with it.'],
  ['signed_out', 'You are signed out.'],
  ['deleted', 'Your account is deleted, with everything in it.'],
]);

/** Signing up, in and out. */
@PageController()
export class SessionController {
  constructor(
    private readonly settings: Settings,
    private readonly signIns: SignInService,
    private readonly sessions: BrowserSessions,
  ) {}

  @Get('users/sign_in')
  @OpenPage()
  showSignIn(
    @SignedIn() user: User | undefined,
    @Query('next') next: unknown,
    @Query('done') done: unknown,
  ): PageAnswer | SeeOther {
    if (user) return new SeeOther(nextPath(next));
    return new PageAnswer(<SignIn next={nextPath(next)} notice={NOTICES.get(done)} />);
  }

  @PostForm('users/sign_in')
  @OpenPage()
  async signIn(
    @Body() { email = '', password = '', next }: Form,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageAnswer | SeeOther> {
    const user = await this.signIns.check(email, password, clientAddress(request));
    if (!user) {
      const faults = { form: ['The e-mail address or the password is wrong.'] };
      return new PageAnswer(<SignIn email={email} faults={faults} next={nextPath(next)} />, 422);
    }
    await this.sessions.begin(user, request, response);
    return new SeeOther(nextPath(next));
  }

  @Get('users/sign_up')
  @OpenPage()
  showSignUp(@SignedIn() user: User | undefined): PageAnswer | SeeOther {
    this.assertOpenToSignUps();
    return user ? new SeeOther('/pushes') : new PageAnswer(<SignUp />);
  }

  @PostForm('users/sign_up')
  @OpenPage()
  async signUp(
    @Body() { email = '', password = '' }: Form,
    @Req() request: Request,
  ): Promise<PageAnswer | SeeOther> {
    this.assertOpenToSignUps();
    try {
      await this.signIns.signUp(email, password, clientAddress(request));
      return new SeeOther('/users/sign_in?done=signed_up');
    } catch (error) {
      if (!(error instanceof AccountRefused)) throw error;
      return new PageAnswer(<SignUp email={email} faults={{ [error.field]: [error.message] }} />, 422);
    }
  }

  @PostForm('users/sign_out')
  @OpenPage()
  async signOut(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<SeeOther> {
    await this.sessions.end(request, response);
    return new SeeOther('/users/sign_in?done=signed_out');
  }

  private assertOpenToSignUps(): void {
    if (this.settings.DISABLE_SIGNUPS) throw new NotFoundException();
  }
}
