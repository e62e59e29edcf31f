import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { readCredentials } from './credentials.js';
import { TokensService } from './tokens.service.js';
import type { User } from './user.entity.js';

@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly tokens: TokensService) {
    super({ passReqToCallback: true });
  }

  /** Shows passport the credentials alone: by itself it would also take a token from the address and the body. */
  override authenticate({ headers }: Request): void {
    const credentials = readCredentials(headers);
    const authorization = credentials && `Bearer ${credentials.token}`;
    super.authenticate({ headers: { authorization }, credentials } as unknown as Request);
  }

  async validate({
    credentials,
  }: {
    credentials: NonNullable<ReturnType<typeof readCredentials>>;
  }): Promise<User | false> {
    return (await this.tokens.ownerOf(credentials)) ?? false;
  }
}
