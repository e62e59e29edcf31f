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
import { LinkButton, SummaryButton, SubmitButton } from '../components/button.js';
import { Card, Or } from '../components/card.js';
import { EmailInput, FormErrors, Input, ShowField, withoutFields } from '../components/fields.js';
import { Problem } from '../../platform/errors/problem.js';
import { PasskeyButton } from '../components/passkey-button.js';
import { NarrowPage } from '../components/layout.js';
import { UnderLetter } from '../components/letter.js';
import { FlashMessage, Form, useSite, Sentence, useTexts, Data } from '../components/site.js';

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
      throw new InvalidFields({ password: new Problem('sign_in_failed') });
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
  const { provider, passwordSignIn } = useSite();
  const { errors } = useForm();
  const t = useTexts();
  const isToAsk = next === '/requests/new';
  return (
    <NarrowPage
      title={t.text(isToAsk ? 'signIn.toAskTitle' : 'signIn.title')}
      lede={isToAsk ? t.text('signIn.toAsk') : undefined}
      script="account"
    >
      <FlashMessage text={flash} />
      <FormErrors errors={passwordSignIn === 'none' ? withoutFields(errors) : errors} isShort />
      <Card label="signIn.title">
        <div class="stack">
          {provider !== undefined && (
            <LinkButton size="large" icon="globe" isWide to={withNext('/users/sign_in/provider', next)}>
              <span>
                <Sentence of="signIn.withProvider" provider={<Data>{provider}</Data>} />
              </span>
            </LinkButton>
          )}
          <PasskeySignIn next={next} />
        </div>
        <WithPassword next={next} />
      </Card>
      <OtherWays next={next} flash={flash} />
    </NarrowPage>
  );
}

/** Passwords, as far as people may use them here. */
function WithPassword({ next }: Pick<SignInProps, 'next'>) {
  const { passkeyOrigin, passwordSignIn, provider } = useSite();
  const { email } = useForm(PATH).typed;
  const t = useTexts();
  if (passwordSignIn === 'none') return null;
  if (passwordSignIn === 'administrators')
    return (
      <details class="gap-top" open={email !== undefined}>
        <SummaryButton look="quiet" isWide>
          {t.text('signIn.administrators')}
        </SummaryButton>
        <PasswordSignIn next={next} />
        <UnderLetter>
          <p>
            <ForgottenPassword />
          </p>
        </UnderLetter>
      </details>
    );
  return (
    <>
      {(provider !== undefined || passkeyOrigin !== undefined) && (
        <Or isAfterPasskey={provider === undefined} />
      )}
      <PasswordSignIn next={next} />
    </>
  );
}

function PasswordSignIn({ next }: Pick<SignInProps, 'next'>) {
  const t = useTexts();
  return (
    <Form to={PATH} data-takes-over="email">
      <input type="hidden" name="next" value={next} />
      <EmailInput />
      <Input
        name="password"
        label={t.text('signIn.password')}
        type="password"
        autocomplete="current-password"
        tools={<ShowField field="password" isPassword />}
        required
        autofocus={useForm(PATH).typed.email !== undefined}
      />
      <SubmitButton>{t.text('signIn.submit')}</SubmitButton>
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
        size="large"
        isWide
      />
    </Form>
  );
}

function OtherWays({ next, flash }: SignInProps) {
  const { maySignUp, provider, passwordSignIn } = useSite();
  const t = useTexts();
  return (
    <UnderLetter>
      {passwordSignIn === 'all' && (
        <p>
          <ForgottenPassword />
        </p>
      )}
      {maySignUp && (
        <p>
          <LinkButton look="quiet" to={withNext('/users/sign_up', next)}>
            {t.text('signIn.signUp')}
          </LinkButton>
        </p>
      )}
      {provider !== undefined && flash === 'signIn.signedOut' && (
        <p>
          <LinkButton look="quiet" to="/users/sign_out/provider">
            <span>
              <Sentence of="signIn.signOutOfProvider" provider={<Data>{provider}</Data>} />
            </span>
          </LinkButton>
        </p>
      )}
    </UnderLetter>
  );
}

/** Advice for a forgotten password. Where no mail is sent, only the operator can reset it: docs/operating/commands.md. */
function ForgottenPassword() {
  const { sendsMail, brand } = useSite();
  const { contact } = brand;
  const t = useTexts();
  if (sendsMail)
    return (
      <LinkButton look="quiet" to="/users/password">
        {t.text('signIn.forgot')}
      </LinkButton>
    );
  if (contact === undefined) return <span>{t.text('signIn.forgotten')}</span>;
  return (
    <span>
      <Sentence
        of="signIn.forgottenContact"
        link={(label) => (
          <a href={contact} rel="noreferrer">
            {label}
          </a>
        )}
      />
    </span>
  );
}
