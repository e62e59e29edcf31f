import { Body, Controller, Get, HttpCode, Query, Req, Res, UsePipes } from '@nestjs/common';
import { IsString } from 'class-validator';
import type { Request, Response } from 'express';
import { Public, PublicPage, SecondFactorPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import type { ProviderErrand } from './authorization-requests.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { IdentitiesService } from '../../auth/sessions/identities.service.js';
import type { ProviderUser } from './identity-provider.js';
import { IdentityProvider } from './identity-provider.js';
import { ProviderError, ProviderResponseInvalid, ProviderUnavailable } from './provider-refusals.js';
import { PendingJoins } from './pending-joins.js';
import { OidcSettings } from './oidc.settings.js';
import { SignOutHints } from './sign-out-hints.js';
import { ProviderAccountsService } from './provider-accounts.service.js';
import { closeSignal } from '../../platform/http/close-signal.js';
import { clientAddress } from '../../platform/http/visitor.js';
import { validationPipe } from '../../platform/http/validation/validation.pipe.js';
import { asProvider } from '../../platform/instance-audit/current-actor.js';
import type { Language } from '../../texts/languages.js';
import { PostForm } from '../../web/forms/form.js';
import { OnlyIf } from '../../web/pages/only-if.js';
import { PageController, ExternalRedirect, SeeOther } from '../../web/pages/page-controller.js';
import { CurrentUser, PageLanguage } from '../../web/pages/parameters.js';
import { nextPath, withNext } from '../../web/pages/paths.js';
import { BrowserSessions } from '../../web/account/browser-sessions.js';

export const OnlyIfProviderIsConfigured = () => OnlyIf(IdentityProvider, (provider) => provider.isConfigured);

/**
 * Signing in at the provider of OpenID Connect. It begins with a link and not with a form: where a form may be sent, by
 * the policy of our pages, holds for what it is redirected to as well.
 */
@PageController()
@OnlyIfProviderIsConfigured()
export class ProviderSignInController {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly requests: AuthorizationRequests,
    private readonly accounts: ProviderAccountsService,
    private readonly joins: PendingJoins,
    private readonly hints: SignOutHints,
    private readonly browserSessions: BrowserSessions,
  ) {}

  @Get('users/sign_in/provider')
  @PublicPage()
  async begin(
    @CurrentUser() user: User | undefined,
    @Query('next') next: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther | ExternalRedirect> {
    const errand: ProviderErrand = { purpose: 'sign_in', next: nextPath(next) };
    if (user) return new SeeOther(errand.next);
    if (isFromElsewhere(request)) return new SeeOther(withNext('/users/sign_in', errand.next));
    return this.leave(errand, request, response).catch((error: unknown) => failed(error, errand.next));
  }

  /** Signs in there once more, as the next form needs it. */
  @Get('users/sign_in/provider/confirm')
  @SecondFactorPage()
  async confirm(
    @Query('next') next: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther | ExternalRedirect> {
    const errand: ProviderErrand = { purpose: 'confirm', next: nextPath(next) };
    if (isFromElsewhere(request)) return new SeeOther(errand.next);
    return this.leave(errand, request, response);
  }

  /** Where the provider sends the browser. What it has sent along is in the URL, so this leads on to a page of ours. */
  @Get('users/sign_in/provider/callback')
  @PublicPage()
  async finish(
    @Query('state') state: unknown,
    @PageLanguage() language: Language,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const begun = this.requests.take(state, request, response);
    const signedIn = await this.browserSessions.of(request); // also one who must set up a second factor first
    if (!begun && signedIn) return new SeeOther(nextPath(undefined)); // such as after going back to this step
    if (!begun) {
      await this.provider.refuseUnknown(clientAddress(request));
      return new SeeOther('/users/sign_in?failed=provider_sign_in_ended');
    }
    const now = new Date();
    try {
      const client = { ip: clientAddress(request), gone: closeSignal(response) };
      const person = await this.provider.finish(queryOf(request), begun, client);
      this.hints.keep(person.idToken, request, response);
      if (begun.purpose === 'sign_in')
        return await this.signIn(person, begun.next, language, request, response, now);
      if (!signedIn) throw new SignInNeeded();
      await this.accounts.confirm(person, signedIn);
      return new SeeOther(begun.next);
    } catch (error) {
      if (signedIn) throw error; // an error page, which does not ask them to sign in
      return failed(error, begun.next);
    }
  }

  /** Signing out of the provider as well, after signing out here. */
  @Get('users/sign_out/provider')
  @PublicPage()
  async signOut(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther | ExternalRedirect> {
    const signIn = '/users/sign_in';
    if (isFromElsewhere(request)) return new SeeOther(signIn);
    try {
      const url = await this.provider.signOutUrl(this.hints.take(request, response));
      return url === undefined ? new SeeOther(signIn) : new ExternalRedirect(url);
    } catch (error) {
      return failed(error, nextPath(undefined));
    }
  }

  private async leave(
    errand: ProviderErrand,
    request: Request,
    response: Response,
  ): Promise<ExternalRedirect> {
    const slot = this.requests.freeSlot(request);
    const { url, request: asked } = await this.provider.begin(slot, errand.purpose === 'confirm');
    this.requests.keep(slot, errand, asked, request, response);
    return new ExternalRedirect(url);
  }

  private async signIn(
    person: ProviderUser,
    next: string,
    language: Language,
    request: Request,
    response: Response,
    now: Date,
  ): Promise<SeeOther> {
    request.user = undefined; // whoever was signed in before has no part in this
    const { user, signIn, isNew } = await this.accounts.accountOf(person, language, now);
    if (!isNew) return this.browserSessions.signIn(user, next, request, response, { provider: signIn });
    this.joins.begin({ user, signIn }, request, response);
    return new SeeOther(withNext('/users/sign_in/join', next));
  }
}

class LogoutDto {
  @IsString()
  logout_token = '';
}

/** What the provider calls when somebody has signed out there (OpenID Connect Back-Channel Logout 1.0). */
@Controller()
@UsePipes(validationPipe)
@OnlyIfProviderIsConfigured()
export class ProviderLogoutController {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly identities: IdentitiesService,
    private readonly settings: OidcSettings,
  ) {}

  @PostForm('users/sign_in/provider/logout')
  @Public()
  @HttpCode(200)
  async logout(
    @Body() { logout_token: token }: LogoutDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    try {
      const logout = await this.provider.logoutOf(token);
      await asProvider(this.settings.providerName ?? '', () => this.identities.endSessions(logout));
      return {};
    } catch (error) {
      const isKeyUnknown = error instanceof ProviderResponseInvalid && error.reason === 'key_unknown';
      // keys are not fetched again within 30 seconds, and the key may be a new one
      if (error instanceof ProviderUnavailable || isKeyUnknown) response.status(503);
      else if (error instanceof ProviderResponseInvalid) response.status(400);
      else throw error;
      return { error: 'invalid_request' };
    }
  }
}

/** Another site could otherwise sign its visitors in here without their doing. */
function isFromElsewhere({ headers }: Request): boolean {
  return ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
}

function queryOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start === -1 ? '' : originalUrl.slice(start);
}

/** The sign-in page with what went wrong, for somebody who is not signed in. */
function failed(error: unknown, next: string): SeeOther {
  if (!(error instanceof ProviderError || error instanceof SignInNeeded)) throw error;
  const code = error instanceof ProviderError ? error.problem.code : 'provider_sign_in_failed';
  return new SeeOther(withNext(`/users/sign_in?failed=${code}`, next));
}
