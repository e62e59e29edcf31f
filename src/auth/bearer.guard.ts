import type { ExecutionContext } from '@nestjs/common';
import { ForbiddenException, Injectable, NotFoundException, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { Settings } from '../platform/settings/settings.js';
import { readToken } from './tokens/read-token.js';
import type { AccessLevel, EnablingSetting, PageAccessLevel } from './access.decorators.js';
import type { ApiToken, TokenScope } from './entities/api-token.entity.js';
import type { User } from './entities/user.entity.js';
import { SecondFactorNeeded } from './errors/second-factor-needed.js';
import { ACCESS_LEVEL, ENABLED_BY, TOKEN_SCOPE } from './access.decorators.js';
import { PageAccess } from './page-access.js';
import { Problem } from '../platform/errors/problem.js';

/** Requires a token on every route that is not opened by a decorator. Pages require or accept a session instead. */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly pageAccess: PageAccess,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): Promise<boolean> | boolean {
    const setting = this.reflector.get<EnablingSetting | undefined>(ENABLED_BY, context.getClass());
    if (setting && !this.settings[setting]) throw new NotFoundException();
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
    const account = user as unknown as User;
    if (account.lacksSecondFactor(this.settings)) throw new SecondFactorNeeded();
    return user;
  }

  private mayBeAnonymous({ headers }: Request): boolean {
    return this.settings.ALLOW_ANONYMOUS && readToken(headers) === undefined;
  }
}

function isPage(accessLevel: AccessLevel | undefined): accessLevel is PageAccessLevel {
  return accessLevel?.endsWith('page') ?? false;
}
