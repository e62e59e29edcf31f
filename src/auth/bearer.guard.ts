import type { ExecutionContext } from '@nestjs/common';
import { Injectable, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { Settings } from '../settings/settings.js';
import { readCredentials } from './credentials.js';
import type { Openness } from './openness.js';
import { OPENNESS } from './openness.js';

/** Asks every route for a token but those that are opened by name. */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): Promise<boolean> | boolean {
    if (this.isOpen(context)) return true;
    return super.canActivate(context) as Promise<boolean>;
  }

  override handleRequest<User>(error: unknown, user: User | false): User {
    if (error) throw error as Error;
    if (!user) throw new UnauthorizedException('A valid API token is needed.');
    return user;
  }

  private isOpen(context: ExecutionContext): boolean {
    const openness = this.reflector.get<Openness | undefined>(OPENNESS, context.getHandler());
    if (openness === 'public') return true;

    const { headers } = context.switchToHttp().getRequest<Request>();
    return (
      openness === 'anonymous' && this.settings.ALLOW_ANONYMOUS && readCredentials(headers) === undefined
    );
  }
}
