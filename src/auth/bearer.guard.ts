import type { IncomingHttpHeaders } from 'node:http';
import type { ExecutionContext, Type } from '@nestjs/common';
import { ForbiddenException, Injectable, NotFoundException, UnauthorizedException } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { Settings } from '../platform/settings/settings.js';
import type { AccessLevel, PageAccessLevel } from './access.decorators.js';
import { ACCESS_LEVEL, ENABLED_BY, TOKEN_SCOPE } from './access.decorators.js';
import type { ApiToken, TokenScope } from './entities/api-token.entity.js';
import type { User as Account } from './entities/user.entity.js';
import { SecondFactorNeeded } from './errors/second-factor-needed.js';
import { PageAccess } from './page-access.js';
import { Problem } from '../platform/errors/problem.js';
import { TokensService } from './tokens/tokens.service.js';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- where the types of passport have it
  namespace Express {
    /** Whose token or session a request has. */
    // oxlint-disable-next-line typescript/no-empty-object-type -- the same as an account
    interface User extends Account {}
  }
}

/** Requires a token on every route that is not opened by a decorator. Pages require or accept a session instead. */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly pageAccess: PageAccess,
    private readonly moduleRef: ModuleRef,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): Promise<boolean> | boolean {
    if (!isEnabled(context.getClass(), this.moduleRef)) throw new NotFoundException();
    const request = context.switchToHttp().getRequest<Request>();
    const accessLevel = this.reflector.get<AccessLevel | undefined>(ACCESS_LEVEL, context.getHandler());
    if (isPage(accessLevel)) return this.pageAccess.admit(request, accessLevel);
    if (accessLevel === 'public') return true;
    if (accessLevel === 'anonymous' && this.mayBeAnonymous(request)) return true;
    return super.canActivate(context) as Promise<boolean>;
  }

  override handleRequest<Found>(
    error: unknown,
    user: Found | false,
    token: ApiToken,
    context: ExecutionContext,
  ): Found {
    if (error) throw error as Error;
    if (!user) throw new UnauthorizedException(new Problem('token_needed'));
    const scope = this.reflector.get<TokenScope | undefined>(TOKEN_SCOPE, context.getHandler());
    if (!token.allows(scope)) throw new ForbiddenException(new Problem('token_limited'));
    const account = user as unknown as Account;
    if (account.lacksSecondFactor(this.settings)) throw new SecondFactorNeeded();
    return user;
  }

  private mayBeAnonymous({ headers }: Request): boolean {
    return this.settings.ALLOW_ANONYMOUS && readToken(headers) === undefined;
  }
}

/** Whether the routes of a controller exist. */
export function isEnabled(controller: Type, moduleRef: ModuleRef): boolean {
  const by = Reflect.getMetadata(ENABLED_BY, controller) as
    [Type<Record<string, unknown>>, string] | undefined;
  return by === undefined || moduleRef.get(by[0], { strict: false })[by[1]] === true;
}

function isPage(accessLevel: AccessLevel | undefined): accessLevel is PageAccessLevel {
  return accessLevel?.endsWith('page') ?? false;
}

@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly tokens: TokensService) {
    super();
  }

  /** Passes only the token to passport, which would otherwise also accept one from the URL or the body. */
  override authenticate({ headers }: Request): void {
    const token = readToken(headers);
    const authorization = token === undefined ? undefined : `Bearer ${token}`;
    super.authenticate({ headers: { authorization } } as Request);
  }

  /** The account, and the token for the guard. */
  async validate(token: string): Promise<[Account, ApiToken] | false> {
    const found = await this.tokens.authenticate(token);
    return found ? [found.user, found.token] : false;
  }
}

/**
 * The API token of a request, read only from its headers: URLs are logged and bodies can be forged by other sites, so
 * a token there is ignored. `X-User-Email` must be present together with `X-User-Token`, but is not compared.
 * See docs/api.md, Authentication, for the forms.
 */
export function readToken(headers: IncomingHttpHeaders): string | undefined {
  const email = headers['x-user-email'];
  const token = headers['x-user-token'];
  if (typeof email === 'string' && typeof token === 'string') return token.trim();

  const [scheme, ...rest] = headers.authorization?.trim().split(/\s+/) ?? [];
  if (!scheme) return undefined;
  if (/^(bearer|token)$/i.test(scheme)) return rest.join(' ');
  return rest.length === 0 ? scheme : undefined; // another scheme, such as Basic for a proxy in front
}
