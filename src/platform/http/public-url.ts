import { BadRequestException, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { parseAddress } from '../settings/networks.js';
import { Settings } from '../settings/settings.js';
import { Problem } from '../errors/problem.js';

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** Which requests a browser sends a cookie with: those below a path, and over TLS only if it is secure. */
export interface CookieScope {
  path: string;
  isSecure: boolean;
}

/** The base URL of this installation; all URLs in responses start with it. */
@Injectable()
export class PublicUrl {
  /** The path of PUBLIC_URL; `""` at the root of a host. */
  readonly basePath: string;

  constructor(private readonly settings: Settings) {
    this.basePath = basePathOf(settings);
  }

  /** PUBLIC_URL, otherwise the scheme and host of the request; only trusted proxies may override these. */
  of(request: Request): string {
    return this.settings.PUBLIC_URL ?? `${request.protocol}://${hostOf(request)}`;
  }

  /** Where browsers can use passkeys of this installation; undefined at an IP address, to which none can be bound. */
  passkeyOriginOf(request: Request): string | undefined {
    const { PUBLIC_URL = `${request.protocol}://${request.host}` } = this.settings;
    const url = URL.parse(PUBLIC_URL);
    return url && parseAddress(url.hostname.replace(/^\[|\]$/g, '')) === undefined ? url.origin : undefined;
  }

  /** Whether clients connect over TLS. */
  isSecure({ protocol }: Request): boolean {
    return this.settings.PUBLIC_URL?.startsWith('https:') ?? protocol === 'https';
  }

  /** No other application of the host gets our cookies. */
  cookieScope(request: Request): CookieScope {
    return { path: this.basePath || '/', isSecure: this.isSecure(request) };
  }
}

function basePathOf({ PUBLIC_URL }: Settings): string {
  return PUBLIC_URL === undefined ? '' : new URL(PUBLIC_URL).pathname.replace(/\/$/, '');
}

function hostOf(request: Request): string {
  const host = request.host as string | undefined;
  const isHost = host !== undefined && HOST.test(host) && URL.canParse(`http://${host}`);
  if (!isHost) throw new BadRequestException(new Problem('host_malformed'));
  return host;
}
