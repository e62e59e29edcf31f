import { IsOptional, IsString } from 'class-validator';
import { Body, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import { PasskeysService } from '../../auth/second-factor/passkeys.service.js';
import { ProofsService } from '../../auth/second-factor/proofs.service.js';
import { PendingSignIns } from '../../auth/sign-in/pending-sign-ins.js';
import { clientAddress } from '../../platform/http/client-address.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import type { FieldErrors } from '../components/fields.js';
import { FormErrors, Input } from '../components/fields.js';
import { Layout } from '../components/layout.js';
import { PasskeyButton } from '../components/passkey-button.js';
import { Form, Link, useTexts } from '../components/site.js';
import { PostForm } from '../forms/form.js';
import { PageController } from '../pages/page-controller.js';
import { JsonResponse, PageResponse, SeeOther } from '../pages/page-response.js';
import { nextPath, withNext } from '../pages/paths.js';
import { BrowserSessions } from './browser-sessions.js';

class SecondFactorDto {
  @IsString()
  code = '';

  /** What a passkey answered, in place of the code. */
  @IsOptional()
  @IsString()
  passkey?: string;

  @IsOptional()
  @IsString()
  passkey_state?: string;

  /** The path to redirect to. */
  @IsOptional()
  @IsString()
  next?: string;
}

/** The second step of signing in. Whoever has not finished it is signed in to nothing. */
@PageController()
export class SecondFactorStepController {
  constructor(
    private readonly pending: PendingSignIns,
    private readonly proofs: ProofsService,
    private readonly passkeys: PasskeysService,
    private readonly publicUrl: PublicUrl,
    private readonly sessions: BrowserSessions,
  ) {}

  @Get('users/sign_in/second_factor')
  @PublicPage()
  async show(
    @Req() request: Request,
    @Query('next') next: unknown,
    @Query('with') method: unknown,
  ): Promise<PageResponse | SeeOther> {
    const isPending = (await this.pending.accountOf(request)) !== undefined;
    if (!isPending) return beginAgain(next);
    const isRecovery = method === 'recovery_code';
    return new PageResponse(<SecondFactorStep next={nextPath(next)} isRecovery={isRecovery} />);
  }

  @Get('users/sign_in/second_factor/passkey')
  @PublicPage()
  async requestPasskey(@Req() request: Request): Promise<JsonResponse> {
    const user = await this.pending.accountOf(request);
    if (!user) throw new SignInNeeded();
    return new JsonResponse(await this.passkeys.request(user, this.publicUrl.of(request)));
  }

  @PostForm('users/sign_in/second_factor', {
    again: (_page, { typed: { next, code = '' }, errors }) => (
      <SecondFactorStep next={nextPath(next)} isRecovery={/[a-z]/i.test(code)} errors={errors} />
    ),
  })
  @PublicPage()
  async finish(
    @Body() { next, ...proof }: SecondFactorDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const user = await this.pending.accountOf(request);
    if (!user) return beginAgain(next);
    const prover = { user, ip: clientAddress(request), baseUrl: this.publicUrl.of(request) };
    await this.proofs.checkSecondFactor(prover, proof);
    await this.sessions.begin(user, request, response);
    this.pending.end(request, response);
    return new SeeOther(nextPath(next));
  }
}

/** To the page that asks for the password, which says why. */
function beginAgain(next: unknown): SeeOther {
  return new SeeOther(withNext('/users/sign_in?done=not_finished', nextPath(next)));
}

interface SecondFactorStepProps {
  next: string;
  /** Whether a recovery code is asked for, which has letters. */
  isRecovery?: boolean;
  errors?: FieldErrors;
}

function SecondFactorStep({ next, isRecovery = false, errors }: SecondFactorStepProps) {
  const t = useTexts();
  const path = '/users/sign_in/second_factor';
  return (
    <Layout title={t.text('secondFactor.stepTitle')} script="account">
      <div class="narrow">
        <h1>{t.text('secondFactor.stepTitle')}</h1>
        <FormErrors errors={errors} />
        <Form to={path} class="card">
          <input type="hidden" name="next" value={next} />
          <Input
            name="code"
            label={t.text(isRecovery ? 'secondFactor.recoveryCode' : 'secondFactor.code')}
            hint={isRecovery ? undefined : t.text('secondFactor.stepHint')}
            autocomplete={isRecovery ? 'off' : 'one-time-code'}
            inputmode={isRecovery ? 'text' : 'numeric'}
            autocapitalize="off"
            spellcheck={false}
            autofocus
            required
            errors={errors}
          />
          <button class="wide">{t.text('signIn.submit')}</button>
          {!isRecovery && (
            <PasskeyButton from="/users/sign_in/second_factor/passkey" label={t.text('passkeys.use')} />
          )}
        </Form>
        {isRecovery ? (
          <p class="quiet">{t.text('secondFactor.lost')}</p>
        ) : (
          <p class="actions">
            <Link to={withNext(`${path}?with=recovery_code`, next)}>
              {t.text('secondFactor.useRecoveryCode')}
            </Link>
          </p>
        )}
        <p class="actions">
          <Link to={withNext('/users/sign_in', next)}>{t.text('forgotten.signIn')}</Link>
        </p>
      </div>
    </Layout>
  );
}
