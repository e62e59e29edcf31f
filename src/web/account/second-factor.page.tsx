import { IsString, MaxLength } from 'class-validator';
import type { PipeTransform } from '@nestjs/common';
import { Body, Get, Injectable, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { SecondFactorPage } from '../../auth/access.decorators.js';
import { AccountError } from '../../auth/errors/account-error.js';
import { MAX_PASSKEY_NAME } from '../../auth/entities/passkey.entity.js';
import type { Session } from '../../auth/entities/session.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { AuthenticatorApps } from '../../auth/second-factor/authenticator-apps.js';
import type { FactorChange } from '../../auth/second-factor/second-factors.service.js';
import { SecondFactorsService } from '../../auth/second-factor/second-factors.service.js';
import { PasskeysService } from '../../auth/second-factor/passkeys.service.js';
import { SignInStates } from '../../auth/sign-in/sign-in-states.js';
import { Problem } from '../../platform/errors/problem.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { Settings } from '../../platform/settings/settings.js';
import { HOUR_MS } from '../../platform/settings/units.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { ShownAgain } from '../forms/form.js';
import { PostReauthenticatedForm } from '../forms/form.js';
import { LanguageResolver } from '../language/language-resolver.js';
import {
  PageController,
  JsonResponse,
  PageResponse,
  SeeOther,
  ReturnAfterSignIn,
} from '../pages/page-controller.js';
import { CurrentRequest, CurrentUser, Flash } from '../pages/parameters.js';
import type { SecondFactorProps, Setup } from './second-factor.view.js';
import { RecoveryCodes, SecondFactor } from './second-factor.view.js';

const STATE = 'authenticator';
const STATE_ENDS_AFTER_MS = HOUR_MS;

const DONE = {
  confirmed: 'passkeys.confirmed',
  removed: 'secondFactor.removed',
  passkey: 'passkeys.added',
  passkey_after_password: 'passkeys.addedAfterPassword',
  passkey_removed: 'passkeys.removed',
} as const;

class AddAuthenticatorDto {
  /** The sealed secret that the app has been given. */
  @IsString()
  state = '';

  /** What the app shows. */
  @IsString()
  new_code = '';
}

class AddPasskeyDto {
  @IsString()
  passkey = '';

  @IsString()
  passkey_state = '';

  @IsString()
  @MaxLength(MAX_PASSKEY_NAME)
  name = '';
}

@Injectable()
class FactorChangePipe implements PipeTransform<Request, FactorChange> {
  constructor(private readonly languages: LanguageResolver) {}

  transform(request: Request): FactorChange {
    return {
      user: request.user as User,
      session: request.authInfo as Session,
      language: this.languages.of(request),
    };
  }
}

/** Who changes a second factor, and in which session, as a parameter of a handler. */
const ChangedBy = () => CurrentRequest(FactorChangePipe);

const FORM: ShownAgain<SecondFactorController> = {
  again: (page, { request, typed }) => page.view(request, { state: typed.state }),
};

/** The second factor of the signed-in user. */
@PageController()
export class SecondFactorController {
  constructor(
    private readonly secondFactors: SecondFactorsService,
    private readonly apps: AuthenticatorApps,
    private readonly states: SignInStates,
    private readonly passkeys: PasskeysService,
    private readonly publicUrl: PublicUrl,
    private readonly settings: Settings,
  ) {}

  @Get('users/second_factor')
  @ReturnAfterSignIn()
  @SecondFactorPage()
  async show(@Req() request: Request, @Flash(DONE) flash: TextKey | undefined): Promise<PageResponse> {
    return new PageResponse(await this.view(request, { flash }));
  }

  /** The response shows the recovery codes, because a redirect would need them in a URL, in a cookie or in the database. */
  @PostReauthenticatedForm('users/second_factor/authenticator', { ...FORM, field: 'new_code' })
  @SecondFactorPage()
  async addAuthenticator(
    @ChangedBy() change: FactorChange,
    @Body() { state, new_code }: AddAuthenticatorDto,
  ): Promise<PageResponse> {
    const secret = this.secretIn(state, change.user);
    if (secret === undefined) throw new AccountError(new Problem('setup_ended'));
    const codes = await this.secondFactors.addAuthenticator(secret, new_code, change);
    return new PageResponse(<RecoveryCodes codes={codes} />, 201);
  }

  @PostReauthenticatedForm('users/second_factor/authenticator/remove', FORM)
  @SecondFactorPage()
  async removeAuthenticator(@ChangedBy() change: FactorChange): Promise<SeeOther> {
    await this.secondFactors.removeAuthenticator(change);
    return new SeeOther('/users/second_factor?done=removed');
  }

  @Get('users/second_factor/passkey/new')
  @SecondFactorPage()
  async requestNewPasskey(@CurrentUser() user: User, @Req() request: Request): Promise<JsonResponse> {
    return new JsonResponse(await this.passkeys.requestNew(user, this.publicUrl.of(request)));
  }

  @Get('users/second_factor/passkey')
  @SecondFactorPage()
  async requestPasskey(@CurrentUser() user: User, @Req() request: Request): Promise<JsonResponse> {
    return new JsonResponse(await this.passkeys.request(user, this.publicUrl.of(request)));
  }

  /** Only reauthenticates, as the next form needs it. */
  @PostReauthenticatedForm('users/second_factor/proof', FORM)
  @SecondFactorPage()
  confirm(): SeeOther {
    return new SeeOther('/users/second_factor?done=confirmed');
  }

  /** The response shows recovery codes: see above. */
  @PostReauthenticatedForm('users/second_factor/passkeys', FORM)
  @SecondFactorPage()
  async addPasskey(
    @ChangedBy() change: FactorChange,
    @Body() { passkey, passkey_state: state, name }: AddPasskeyDto,
    @Req() request: Request,
  ): Promise<PageResponse | SeeOther> {
    const answer = { passkey, state, baseUrl: this.publicUrl.of(request) };
    const { codes, worksAlone } = await this.passkeys.add(answer, name.trim(), change);
    const done = worksAlone ? 'passkey' : 'passkey_after_password';
    return codes.length === 0
      ? new SeeOther(`/users/second_factor?done=${done}`)
      : new PageResponse(<RecoveryCodes codes={codes} flash={worksAlone ? undefined : DONE[done]} />, 201);
  }

  @PostReauthenticatedForm('users/second_factor/passkeys/:id/remove', FORM)
  @SecondFactorPage()
  async removePasskey(@ChangedBy() change: FactorChange, @Param('id') id: string): Promise<SeeOther> {
    await this.passkeys.remove(id, change);
    return new SeeOther('/users/second_factor?done=passkey_removed');
  }

  /** The response shows them: see above. */
  @PostReauthenticatedForm('users/second_factor/recovery_codes', FORM)
  @SecondFactorPage()
  async renewRecoveryCodes(@ChangedBy() change: FactorChange): Promise<PageResponse> {
    return new PageResponse(
      <RecoveryCodes codes={await this.secondFactors.renewRecoveryCodes(change)} />,
      201,
    );
  }

  async view(request: Request, { state, ...shown }: Partial<SecondFactorProps> & { state?: string }) {
    const user = request.user as User;
    const factors = await this.secondFactors.of(user);
    const passkeys = await this.passkeys.listOf(user);
    const { identityId } = request.authInfo as Session;
    const isRequired = user.mustHaveSecondFactor(this.settings, identityId !== null);
    const setup = factors.authenticator ? undefined : await this.setupFor(user, state);
    return (
      <SecondFactor factors={factors} passkeys={passkeys} isRequired={isRequired} setup={setup} {...shown} />
    );
  }

  /** The same secret as before when a form is shown again, because the app may have it already. */
  private async setupFor(user: User, state: unknown): Promise<Setup> {
    const secret = this.secretIn(state, user) ?? (await this.apps.newSecret());
    const endsAt = new Date(Date.now() + STATE_ENDS_AFTER_MS);
    return {
      secret,
      uri: await this.apps.uriOf(secret, user, this.settings.OPERATOR_NAME ?? 'Sealpush'),
      state: this.states.seal(STATE, { userId: user.id, secret }, endsAt),
    };
  }

  private secretIn(state: unknown, { id }: User): string | undefined {
    const read = this.states.read(STATE, state);
    return read?.userId === id ? read.secret : undefined;
  }
}
