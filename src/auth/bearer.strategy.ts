import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { readToken } from './tokens/read-token.js';
import { TokensService } from './tokens/tokens.service.js';
import type { ApiToken } from './entities/api-token.entity.js';
import type { User } from './entities/user.entity.js';

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
  async validate(token: string): Promise<[User, ApiToken] | false> {
    const found = await this.tokens.authenticate(token);
    return found ? [found.user, found.token] : false;
  }
}
