import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { User } from '../auth/user.entity.js';
import { PublicUrl } from '../http/public-url.js';
import { Settings } from '../settings/settings.js';
import { Assets } from './assets.js';
import { secureHeaders } from './secure-headers.js';
import { SiteContext } from './views/site.js';

/** Renders views as HTML pages. */
@Injectable()
export class PageRenderer {
  constructor(
    private readonly settings: Settings,
    private readonly publicUrl: PublicUrl,
    private readonly assets: Assets,
  ) {}

  /** Returns the page, and sets its security headers on the response. */
  render(view: VNode, request: Request, response: Response): string {
    const { basePath: base } = this.publicUrl;
    const site = {
      base,
      assets: `${base}/assets/${this.assets.version}`,
      path: request.path,
      isVisitorKnown: 'user' in request,
      email: (request.user as User | undefined)?.email,
      maySignUp: !this.settings.DISABLE_SIGNUPS,
    };
    secureHeaders(request, response, this.publicUrl.isSecure(request));
    response.type('html');
    return `<!doctype html>${renderToString(<SiteContext.Provider value={site}>{view}</SiteContext.Provider>)}`;
  }

  /** The path of one of our pages as a browser sees it. */
  locationOf(path: string): string {
    return this.publicUrl.basePath + path;
  }
}
