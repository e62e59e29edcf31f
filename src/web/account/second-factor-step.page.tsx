import { IsOptional, IsString } from 'class-validator';
import { Body, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import { PasskeysService } from '../../auth/second-factor/passkeys.service.js';
import { ReauthenticationService } from '../../auth/second-factor/reauthentication.service.js';
import { SecondFactorsService } from '../../auth/second-factor/second-factors.service.js';
import { PendingSignIns } from '../../auth/sign-in/pending-sign-ins.js';
import { clientAddress } from '../../platform/http/visitor.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { useForm } from '../components/filled-form.js';
import { LinkButton, SubmitButton } from '../components/button.js';
import { Card, Or } from '../components/card.js';
import { FormErrors, Input, withoutFields } from '../components/fields.js';
import { NarrowPage } from '../components/layout.js';
import { UnderLetter } from '../components/letter.js';
import { PasskeyButton } from '../components/passkey-button.js';
import { Form, useSite, useTexts } from '../components/site.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { PostForm } from '../forms/form.js';
import { PageController, JsonResponse, PageResponse, SeeOther } from '../pages/page-controller.js';
import { nextPath, withNext } from '../pages/paths.js';
import { NextDto } from './account.dto.js';
import { BrowserSessions } from './browser-sessions.js';

class SecondFactorDto extends NextDto {
  @IsString()
  code = '';

  /** What a passkey answered, in place of the code. */
  @IsOptional()
  @IsString()
  passkey?: string;

  @IsOptional()
  @IsString()
  passkey_state?: string;
}

/** The second step of signing in. Whoever has not finished it is signed in to nothing. */
@PageController()
export class SecondFactorStepController {
  constructor(
    private readonly pending: PendingSignIns,
    private readonly reauthentication: ReauthenticationService,
    private readonly secondFactors: SecondFactorsService,
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
    const pending = await this.pending.of(request);
    if (!pending) return beginAgain(next);
    const factors = await this.factorsOf(pending.user);
    const isRecovery = method === 'recovery_code';
    return new PageResponse(<SecondFactorStep next={nextPath(next)} {...factors} isRecovery={isRecovery} />);
  }

  @Get('users/sign_in/second_factor/passkey')
  @PublicPage()
  async requestPasskey(@Req() request: Request): Promise<JsonResponse> {
    const pending = await this.pending.of(request);
    if (!pending) throw new SignInNeeded();
    return new JsonResponse(await this.passkeys.request(pending.user, this.publicUrl.of(request)));
  }

  @PostForm('users/sign_in/second_factor', {
    again: async (page: SecondFactorStepController, { typed: { next, code }, request }) => {
      const factors = await page.factorsOf((await page.pending.of(request))?.user);
      const isRecovery = code !== undefined && (!factors.hasApp || /[a-z]/i.test(code));
      return <SecondFactorStep next={nextPath(next)} {...factors} isRecovery={isRecovery} />;
    },
  })
  @PublicPage()
  async finish(
    @Body() { next, ...given }: SecondFactorDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const pending = await this.pending.of(request);
    if (!pending) return beginAgain(next);
    const { id: waitedAs, user, provider } = pending;
    const prover = { user, ip: clientAddress(request), baseUrl: this.publicUrl.of(request) };
    await this.reauthentication.checkSecondFactor(prover, given);
    this.pending.end(request, response);
    const { passkey } = given;
    await this.sessions.begin(user, request, response, { provider, passkey, isProven: true, waitedAs });
    return new SeeOther(nextPath(next));
  }

  /** Those of an account whose password was right; a stranger learns nothing about them. */
  private async factorsOf(user: User | undefined): Promise<{ hasApp: boolean; hasPasskey: boolean }> {
    if (!user) return { hasApp: true, hasPasskey: false };
    const { authenticator } = await this.secondFactors.of(user);
    return { hasApp: authenticator !== undefined, hasPasskey: await this.passkeys.existFor(user) };
  }
}

/** To the page that asks for the password, which says why. */
function beginAgain(next: unknown): SeeOther {
  return new SeeOther(withNext('/users/sign_in?done=not_finished', nextPath(next)));
}

interface SecondFactorStepProps {
  next: string;
  /** Without an authenticator app, the account has passkeys. */
  hasApp: boolean;
  hasPasskey: boolean;
  /** Whether a recovery code is asked for, which has letters. */
  isRecovery: boolean;
}

function SecondFactorStep({ next, hasApp, hasPasskey, isRecovery: isChosen }: SecondFactorStepProps) {
  const { errors } = useForm();
  const { passkeyOrigin } = useSite();
  const t = useTexts();
  const isOnlyPasskey = !hasApp && passkeyOrigin === undefined; // which cannot be used here
  const isRecovery = isChosen || isOnlyPasskey;
  const path = '/users/sign_in/second_factor';
  const asksForCode = hasApp || isRecovery;
  const usesPasskey = hasPasskey && !isRecovery && passkeyOrigin !== undefined;
  const [title, lede] = wordsFor(asksForCode, isRecovery);
  return (
    <NarrowPage title={t.text(title)} lede={lede && t.text(lede)} script="account">
      <FormErrors errors={asksForCode ? errors : withoutFields(errors)} isShort />
      {isOnlyPasskey && <p>{t.text('passkeys.atAddress')}</p>}
      <Card label={title}>
        <Form to={path} data-once>
          <input type="hidden" name="next" value={next} />
          {asksForCode ? (
            <CodeInput isRecovery={isRecovery} />
          ) : (
            <noscript>
              <p>{t.text('passkeys.needScriptToUse')}</p>
            </noscript>
          )}
          {!isRecovery && hasApp && <Or />}
          {!isRecovery && (
            <div class="stack">
              {usesPasskey && (
                <PasskeyButton
                  from="/users/sign_in/second_factor/passkey"
                  label={t.text('passkeys.use')}
                  look={hasApp ? 'secondary' : 'primary'}
                  size={hasApp ? undefined : 'large'}
                  isPrimary={!hasApp}
                  isWide
                />
              )}
              <LinkButton icon="key" isWide to={withNext(`${path}?with=recovery_code`, next)}>
                {t.text('secondFactor.useRecoveryCode')}
              </LinkButton>
            </div>
          )}
        </Form>
      </Card>
      <UnderLetter>
        <p>{t.text('secondFactor.lost')}</p>
        <p>
          <LinkButton look="quiet" to={withNext('/users/sign_in', next)}>
            {t.text('forgotten.signIn')}
          </LinkButton>
        </p>
      </UnderLetter>
    </NarrowPage>
  );
}

function wordsFor(asksForCode: boolean, isRecovery: boolean): [title: TextKey, lede?: TextKey] {
  if (!asksForCode) return ['passkeys.stepTitle'];
  return isRecovery
    ? ['secondFactor.recoveryTitle', 'secondFactor.recoveryText']
    : ['secondFactor.stepTitle', 'secondFactor.stepText'];
}

/** A script sends the form after the last digit of an app's code. */
function CodeInput({ isRecovery }: { isRecovery: boolean }) {
  const t = useTexts();
  return (
    <>
      {isRecovery ? (
        <Input
          name="code"
          label={t.text('secondFactor.recoveryCode')}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          isCode
          autofocus
          required
        />
      ) : (
        <Input
          name="code"
          label={t.text('secondFactor.stepCode')}
          hint={
            <>
              {t.text('secondFactor.stepHint')}{' '}
              <span hidden data-sent-by-script>
                {t.text('secondFactor.stepGoesOn')}
              </span>
            </>
          }
          autocomplete="one-time-code"
          inputmode="numeric"
          autocapitalize="off"
          spellcheck={false}
          isShortCode
          data-sent-complete
          autofocus
          required
        />
      )}
      <SubmitButton>{t.text('signIn.submit')}</SubmitButton>
    </>
  );
}
