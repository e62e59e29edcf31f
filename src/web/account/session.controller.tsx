import {
  Body,
  Get,
  Injectable,
  Query,
  Req,
  Res,
  UnprocessableEntityException,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import { CredentialsService } from '../../auth/sign-in/credentials.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { clientAddress } from '../../http/client-address.js';
import { BrowserSessions } from './browser-sessions.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { SignInDto } from './sign-in.dto.js';
import { SignUpDto } from './sign-up.dto.js';
import { NoMailGuard } from './mail.guard.js';
import { nextPath } from './next-path.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { PageController } from '../pages/page-controller.js';
import { SignUpsGuard } from './sign-ups.guard.js';
import { CurrentUser } from '../pages/current-user.js';
import type { TextKey } from '../../texts/en.js';
import type { FieldErrors } from '../views/fields.js';
import { SignIn, SignUp } from '../views/sign-in.js';
import { Problem } from '../../errors/problem.js';

/** Notices by the parameter `done`; a Map, because a plain object inherits names such as `constructor`. */
const FLASH_MESSAGES = new Map<unknown, TextKey>([
  ['signed_up', 'signIn.signedUp'],
  ['signed_out', 'signIn.signedOut'],
  ['deleted', 'signIn.deleted'],
  ['password_set', 'signIn.passwordSet'],
  ['account_created', 'signIn.accountCreated'],
]);

@Injectable()
class SignInErrors extends FormErrorsInterceptor {
  protected view(errors: FieldErrors, { email, next }: Form) {
    return <SignIn email={email} next={nextPath(next)} errors={errors} />;
  }
}

@Injectable()
class SignUpErrors extends FormErrorsInterceptor {
  protected view(errors: FieldErrors, { email }: Form) {
    return <SignUp email={email} errors={errors} />;
  }
}

/** Signing up, in and out. */
@PageController()
export class SessionController {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly sessions: BrowserSessions,
  ) {}

  @Get('users/sign_in')
  @PublicPage()
  showSignIn(
    @CurrentUser() user: User | undefined,
    @Query('next') next: unknown,
    @Query('done') done: unknown,
  ): PageResponse | SeeOther {
    if (user) return new SeeOther(nextPath(next));
    return new PageResponse(<SignIn next={nextPath(next)} notice={FLASH_MESSAGES.get(done)} />);
  }

  @PostForm('users/sign_in', SignInErrors)
  @PublicPage()
  async signIn(
    @Body() { email, password, next }: SignInDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const user = await this.credentials.authenticate(email, password, clientAddress(request));
    if (!user) {
      throw new UnprocessableEntityException({ form: [new Problem('sign_in_failed')] });
    }
    await this.sessions.begin(user, request, response);
    return new SeeOther(nextPath(next));
  }

  @Get('users/sign_up')
  @PublicPage()
  @UseGuards(SignUpsGuard)
  showSignUp(@CurrentUser() user: User | undefined): PageResponse | SeeOther {
    return user ? new SeeOther('/pushes') : new PageResponse(<SignUp />);
  }

  /** Where mail is sent, SignUpLinkController has the form. */
  @PostForm('users/sign_up', SignUpErrors)
  @PublicPage()
  @UseGuards(NoMailGuard, SignUpsGuard)
  async signUp(@Body() { email, password }: SignUpDto, @Req() request: Request): Promise<SeeOther> {
    await this.credentials.signUp(email, password, clientAddress(request));
    return new SeeOther('/users/sign_in?done=signed_up');
  }

  @PostForm('users/sign_out')
  @PublicPage()
  async signOut(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<SeeOther> {
    await this.sessions.end(request, response);
    return new SeeOther('/users/sign_in?done=signed_out');
  }
}
