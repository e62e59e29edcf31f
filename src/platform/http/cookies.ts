import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { CookieScope } from './public-url.js';
import { PublicUrl } from './public-url.js';

/** A cookie that a response sets. */
export interface NewCookie {
  /** Without our prefix. */
  name: string;
  /** Undefined to delete the cookie. */
  value: string | undefined;
  maxAgeSeconds: number;
  /** The only path that gets it, below that of the installation; default: all. */
  below?: string;
}

/**
 * With TLS, a name that no unencrypted connection can set, and no other host either, which browsers only grant to cookies
 * of the whole host (RFC 6265bis, 4.1.3).
 */
function fullName(name: string, { path, isSecure }: CookieScope): string {
  if (!isSecure) return name;
  return path === '/' ? `__Host-${name}` : `__Secure-${name}`;
}

function scopeBelow(scope: CookieScope, below = ''): CookieScope {
  return below === '' ? scope : { ...scope, path: scope.path.replace(/\/$/, '') + below };
}

/** The `Set-Cookie` header of a cookie that scripts cannot read, and that other sites' forms do not send. */
export function setCookieHeader(
  { name, value, maxAgeSeconds, below }: NewCookie,
  installation: CookieScope,
): string {
  const scope = scopeBelow(installation, below);
  return stringifySetCookie({
    name: fullName(name, scope),
    value: value ?? '',
    path: scope.path,
    maxAge: value === undefined ? 0 : maxAgeSeconds,
    httpOnly: true,
    sameSite: 'lax',
    secure: scope.isSecure,
  });
}

/** Cookies of this installation, which no other application of the host gets. */
@Injectable()
export class Cookies {
  constructor(private readonly publicUrl: PublicUrl) {}

  /** The value of a cookie of the request; undefined when it has none. */
  read(request: Request, name: string, below?: string): string | undefined {
    const cookies = parseCookie(request.headers.cookie ?? '');
    return cookies[fullName(name, scopeBelow(this.publicUrl.cookieScope(request), below))] || undefined;
  }

  set(cookie: NewCookie, request: Request, response: Response): void {
    response.append('Set-Cookie', setCookieHeader(cookie, this.publicUrl.cookieScope(request)));
  }
}
