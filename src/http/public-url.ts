import { BadRequestException, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../settings/settings.js';

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** The base URL of this installation; all URLs in responses start with it. */
@Injectable()
export class PublicUrl {
  constructor(private readonly settings: Settings) {}

  /** PUBLIC_URL, otherwise the scheme and host of the request; only trusted proxies may override these. */
  of(request: Request): string {
    return this.settings.PUBLIC_URL ?? `${request.protocol}://${hostOf(request)}`;
  }

  /** The path of PUBLIC_URL; `""` at the root of a host. */
  get basePath(): string {
    const { PUBLIC_URL } = this.settings;
    return PUBLIC_URL === undefined ? '' : new URL(PUBLIC_URL).pathname.replace(/\/$/, '');
  }

  /** Whether clients connect over TLS. */
  isSecure({ protocol }: Request): boolean {
    return this.settings.PUBLIC_URL?.startsWith('https:') ?? protocol === 'https';
  }
}

function hostOf(request: Request): string {
  const host = request.host as string | undefined;
  if (host === undefined || !HOST.test(host))
    throw new BadRequestException('The Host header is not well-formed.');
  return host;
}
