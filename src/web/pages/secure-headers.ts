import type { Request, Response } from 'express';
import helmet from 'helmet';
import type { HelmetOptions } from 'helmet';

const TWO_YEARS_SECONDS = 63_072_000;

const common = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'], // Pico draws its check marks and arrows as data
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' as const },
  originAgentCluster: false,
} satisfies HelmetOptions;

const overTls = helmet({
  ...common,
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: { maxAge: TWO_YEARS_SECONDS, includeSubDomains: false },
});

const onThisMachine = helmet({
  ...common,
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: false,
});

/**
 * The referrer policy without TLS. Browsers then send no `Sec-Fetch-Site`, and with no-referrer no `Origin`: forged
 * forms would go undetected.
 */
const inClear = helmet({
  ...common,
  referrerPolicy: { policy: 'same-origin' },
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false, // browsers ignore it there, with a warning
});

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/** Page headers: no third-party content, no framing, and no search engine index except for the front page. */
export function secureHeaders(request: Request, response: Response, isSecure: boolean): void {
  const isLoopback = LOOPBACK.test(request.headers.host ?? '');
  const setHeaders = isSecure ? overTls : isLoopback ? onThisMachine : inClear;
  setHeaders(request, response, () => undefined);
  if (request.path !== '/') response.set('X-Robots-Tag', 'noindex, nofollow, noarchive');
}
