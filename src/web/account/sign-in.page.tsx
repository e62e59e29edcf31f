import { IsString } from 'class-validator';
import { Body, Get, Query, Req, Res } from '@nestjs/common';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import type { Request, Response } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import { CredentialsService } from '../../auth/sign-in/credentials.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { PasskeysService } from '../../auth/second-factor/passkeys.service.js';
import { SignInProviders } from '../../auth/sessions/sign-in-provider.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { clientAddress } from '../../platform/http/visitor.js';
import { NextDto } from './account.dto.js';
import { BrowserSessions } from './browser-sessions.js';
import { PostForm } from '../forms/form.js';
import { nextPath, withNext } from '../pages/paths.js';
import { JsonResponse, PageResponse, SeeOther, PageController } from '../pages/page-controller.js';
import { CurrentUser, Flash } from '../pages/parameters.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { useForm, withForm } from '../components/filled-form.js';
import { EmailInput, FormErrors, Input } from '../components/fields.js';
import { Problem } from '../../platform/errors/problem.js';
import { PasskeyButton } from '../components/passkey-button.js';
import { NarrowPage } from '../components/layout.js';
import { FlashMessage, Link, Form, useSite, Sentence, useTexts, Data, LinkLine } from '../components/site.js';

/** Not validated any further: an invalid email address is rejected like one without an account. */
class SignInDto extends NextDto {
  @IsString()
  email = '';

  @IsString()
  password = '';
}

class PasskeySignInDto extends NextDto {
  @IsString()
  passkey = '';

  @IsString()
  passkey_state = '';
}

const DONE = {
  signed_up: 'signIn.signedUp',
  signed_out: 'signIn.signedOut',
  deleted: 'signIn.deleted',
  password_set: 'signIn.passwordSet',
  not_finished: 'signIn.notFinished',
} as const;

/** Signing in and out. */
@PageController()
export class SignInController {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly passkeys: PasskeysService,
    private readonly publicUrl: PublicUrl,
    private readonly sessions: BrowserSessions,
    private readonly providers: SignInProviders,
  ) {}

  @Get('users/sign_in')
  @PublicPage()
  showSignIn(
    @CurrentUser() user: User | undefined,
    @Query('next') next: unknown,
    @Query('failed') failed: unknown,
    @Flash(DONE) flash: TextKey | undefined,
  ): PageResponse | SeeOther {
    if (user) return new SeeOther(nextPath(next));
    const problem = this.providers.problemOf(failed);
    const errors = problem && { form: [problem] };
    return new PageResponse(withForm({ errors }, <SignIn next={nextPath(next)} flash={flash} />));
  }

  @PostForm('users/sign_in', {
    again: (_page, { typed }) => <SignIn next={nextPath(typed.next)} />,
  })
  @PublicPage()
  async signIn(
    @Body() { email, password, next }: SignInDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const user = await this.credentials.signIn(email, password, clientAddress(request));
    if (!user) {
      throw new InvalidFields({ form: new Problem('sign_in_failed') });
    }
    return this.sessions.signIn(user, nextPath(next), request, response);
  }

  @Get('users/sign_in/passkey')
  @PublicPage()
  async requestPasskey(@Req() request: Request): Promise<JsonResponse> {
    return new JsonResponse(await this.passkeys.request(undefined, this.publicUrl.of(request)));
  }

  @PostForm('users/sign_in/passkey', {
    again: (_page, { typed }) => <SignIn next={nextPath(typed.next)} />,
  })
  @PublicPage()
  async signInWithPasskey(
    @Body() { passkey, passkey_state: state, next }: PasskeySignInDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const answer = { passkey, state, baseUrl: this.publicUrl.of(request) };
    const user = await this.passkeys.signIn(answer, clientAddress(request));
    await this.sessions.begin(user, request, response, { passkey });
    return new SeeOther(nextPath(next));
  }

  @PostForm('users/sign_out')
  @PublicPage()
  async signOut(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<SeeOther> {
    await this.sessions.end(request, response);
    return new SeeOther('/users/sign_in?done=signed_out');
  }
}

const PATH = '/users/sign_in';

interface SignInProps {
  /** The path to redirect to. */
  next: string;
  flash?: TextKey;
}

/** What the operator prefers comes first: the provider, if there is one, and passwords last. */
function SignIn({ next, flash }: SignInProps) {
  const { maySignUp, provider, passwordSignIn } = useSite();
  const { email } = useForm(PATH).typed;
  const t = useTexts();
  return (
    <NarrowPage title={t.text('signIn.title')} script="account">
      {next === '/requests/new' && <p class="lede">{t.text('signIn.toAsk')}</p>}
      <FlashMessage text={flash} />
      <FormErrors />
      {provider !== undefined && (
        <p>
          <Link to={withNext('/users/sign_in/provider', next)} role="button" class="wide">
            <Sentence of="signIn.withProvider" provider={<Data>{provider}</Data>} />
          </Link>
        </p>
      )}
      {provider !== undefined && <PasskeySignIn next={next} />}
      {passwordSignIn === 'all' && <PasswordSignIn next={next} />}
      {passwordSignIn === 'administrators' && (
        <details open={email !== undefined}>
          <summary>{t.text('signIn.administrators')}</summary>
          <PasswordSignIn next={next} />
          <ForgottenPassword />
        </details>
      )}
      {provider === undefined && <PasskeySignIn next={next} />}
      {passwordSignIn === 'all' && <ForgottenPassword />}
      {provider !== undefined && flash === 'signIn.signedOut' && (
        <p class="actions">
          <Link to="/users/sign_out/provider">
            <Sentence of="signIn.signOutOfProvider" provider={<Data>{provider}</Data>} />
          </Link>
        </p>
      )}
      {maySignUp && <LinkLine to={withNext('/users/sign_up', next)} text="signIn.signUp" />}
    </NarrowPage>
  );
}

function PasswordSignIn({ next }: Pick<SignInProps, 'next'>) {
  const t = useTexts();
  return (
    <Form to={PATH} class="card" data-takes-over="email">
      <input type="hidden" name="next" value={next} />
      <EmailInput />
      <Input
        name="password"
        label={t.text('signIn.password')}
        type="password"
        autocomplete="current-password"
        required
        autofocus={useForm(PATH).typed.email !== undefined}
      />
      <button class="wide">{t.text('signIn.submit')}</button>
    </Form>
  );
}

function PasskeySignIn({ next }: Pick<SignInProps, 'next'>) {
  if (useSite().passkeyOrigin === undefined) return null;
  return (
    <Form to="/users/sign_in/passkey">
      <input type="hidden" name="next" value={next} />
      <PasskeyButton
        from="/users/sign_in/passkey"
        label={useTexts().text('passkeys.signIn')}
        failed="passkeys.failedAlone"
      />
    </Form>
  );
}

/** Advice for a forgotten password. Where no mail is sent, only the operator can reset it: docs/operating/commands.md. */
function ForgottenPassword() {
  const {
    sendsMail,
    brand: { contact },
  } = useSite();
  if (sendsMail) {
    return <LinkLine to="/users/password" text="signIn.forgot" />;
  }
  if (contact === undefined) return <p class="quiet">{useTexts().text('signIn.forgotten')}</p>;
  return (
    <p class="quiet">
      <Sentence
        of="signIn.forgottenContact"
        link={(label) => (
          <a href={contact} rel="noreferrer">
            {label}
          </a>
        )}
      />
    </p>
  );
}
