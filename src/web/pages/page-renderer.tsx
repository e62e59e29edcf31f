import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { HelmetOptions } from 'helmet';
import helmet from 'helmet';
import { SignInProviders } from '../../auth/sessions/sign-in-provider.js';
import { reauthenticationStateOf } from '../../auth/second-factor/reauthentication.service.js';
import { canBeMailed } from '../../auth/entities/emails.js';
import type { Session } from '../../auth/entities/session.entity.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { Settings } from '../../platform/settings/settings.js';
import { Assets } from './assets.js';
import { Brand } from '../brand/brand.js';
import { LANGUAGE_HEADERS, languageCookie, LanguageResolver } from '../language/language-resolver.js';
import type { ScriptResponse } from './page-controller.js';
import { MenusService } from './menus.js';
import { pageOfForm, pageOfRejected } from './paths.js';
import type { Language } from '../../texts/languages.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import type { Site } from '../components/site.js';
import { SiteContext } from '../components/site.js';

/** Renders views as HTML pages. */
@Injectable()
export class PageRenderer {
  constructor(
    private readonly settings: Settings,
    private readonly publicUrl: PublicUrl,
    private readonly assets: Assets,
    private readonly brand: Brand,
    private readonly mails: MailsService,
    private readonly texts: TextsService,
    private readonly languages: LanguageResolver,
    private readonly menus: MenusService,
    private readonly providers: SignInProviders,
  ) {}

  /** Returns the page, and sets its security headers on the response. */
  render(view: VNode, request: Request, response: Response): string {
    this.secure(request, response);
    response.type('html').vary(LANGUAGE_HEADERS);
    const language = this.languages.askedFor(request);
    if (language)
      response.append('Set-Cookie', languageCookie(language, this.publicUrl.cookieScope(request)));
    const { user } = request;
    return this.html(view, {
      path: request.path,
      pageOfForm: user && pageOfForm(request.path),
      returnPath: returnPathOf(request, response.statusCode),
      texts: this.texts.in(this.languages.of(request)),
      isVisitorKnown: 'user' in request,
      email: user?.email,
      isAdministrator: user?.administrator,
      reauthentication: user && reauthenticationStateOf(user, request.authInfo as Session, this.settings),
      passkeyOrigin: this.publicUrl.passkeyOriginOf(request),
      mayAskForMails: this.mails.isEnabled && user !== undefined && canBeMailed(user),
    });
  }

  /** Returns what the script of a page gets instead, and sets the same headers on the response. */
  json(content: ScriptResponse, request: Request, response: Response): string {
    this.secure(request, response);
    response.type('json').vary(`${LANGUAGE_HEADERS}, Accept`);
    return JSON.stringify(content(this.texts.in(this.languages.of(request))));
  }

  /** Returns a page that is the same for every visitor. Each response with it needs `secure` as well. */
  renderForAnyone(view: VNode, path: string, language: Language): string {
    return this.html(view, {
      path,
      returnPath: path,
      texts: this.texts.in(language),
      isVisitorKnown: false,
      mayAskForMails: false,
    });
  }

  /** Sets the security headers of a page, of which search engines may index only the front page. */
  secure(request: Request, response: Response): void {
    secureHeaders(request, response, this.publicUrl.isSecure(request));
    const mayBeIndexed = request.path === '/' && !this.settings.isGateway;
    if (!mayBeIndexed) response.set('X-Robots-Tag', 'noindex, nofollow, noarchive');
  }

  /** The path of one of our pages as a browser sees it. */
  locationOf(path: string): string {
    return this.publicUrl.basePath + path;
  }

  private html(
    view: VNode,
    visit: Omit<
      Site,
      | 'base'
      | 'assets'
      | 'integrityOf'
      | 'textsOf'
      | 'brand'
      | 'maySignUp'
      | 'provider'
      | 'passwordSignIn'
      | 'sendsMail'
      | 'menus'
      | 'isGateway'
      | 'languages'
    >,
  ): string {
    const { basePath: base } = this.publicUrl;
    const site: Site = {
      ...visit,
      base,
      assets: `${base}/assets/${this.assets.version}`,
      integrityOf: (name) => this.assets.integrityOf(name),
      textsOf: (name) => this.assets.textsOf(name),
      brand: this.brand,
      maySignUp: this.settings.maySignUp,
      provider: this.providers.name,
      passwordSignIn: this.settings.PASSWORD_SIGN_IN,
      sendsMail: this.mails.isEnabled,
      menus: this.menus.menus,
      isGateway: this.settings.isGateway,
      languages: this.texts.languages,
    };
    return `<!doctype html>${exactly(renderToString(<SiteContext.Provider value={site}>{view}</SiteContext.Provider>))}`;
  }
}

/**
 * A page of which browsers read each text as it is: they would take CR LF for LF, and drop the line feed with which the
 * text of a `pre` or `textarea` begins (HTML, 13.2.3.5 and 13.2.6.4.7).
 */
function exactly(html: string): string {
  if (!html.includes('\r') && !html.includes('>\n')) return html; // the usual case
  return html.replaceAll('\r', '&#13;').replace(/(<(?:pre|textarea)\b(?:"[^"]*"|[^>"])*>)\n/g, '$1\n\n');
}

/** The parameters of a query that choose what a page shows. */
const KEPT = ['page', 'next', 'search', 'state', 'kind', 'only', 'views', 'duration', 'click', 'deletable'];

/** Of a form that is shown again with what is wrong in it. */
const REJECTED = [422, 429];

/**
 * The path of a request, with only the kept parameters of its query, or that of the page with a form that was rejected.
 * Other error pages quote nothing of a request, whose path may be secret.
 */
function returnPathOf({ method, path, query }: Request, status: number): string | undefined {
  if (REJECTED.includes(status)) return pageOfRejected(path);
  if (method !== 'GET' || status >= 400) return undefined;
  const kept = KEPT.map((name) => [name, query[name]] as const).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept).toString()}`;
}

const TWO_YEARS_SECONDS = 63_072_000;

const common = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'], // a QR code is saved as an image by way of one
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' as const },
  // not "no-referrer": our own forms would then have the origin "null", as forged ones have it
  referrerPolicy: { policy: 'same-origin' as const },
  originAgentCluster: false,
} satisfies HelmetOptions;

const overTls = helmet({
  ...common,
  strictTransportSecurity: { maxAge: TWO_YEARS_SECONDS, includeSubDomains: false },
});

const onThisMachine = helmet({
  ...common,
  strictTransportSecurity: false,
});

const inClear = helmet({
  ...common,
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false, // browsers ignore it there, with a warning
});

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/** Page headers: no third-party content, no framing. */
function secureHeaders(request: Request, response: Response, isSecure: boolean): void {
  const isLoopback = LOOPBACK.test(request.headers.host ?? '');
  const setHeaders = isSecure ? overTls : isLoopback ? onThisMachine : inClear;
  setHeaders(request, response, () => undefined);
}
