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

/** Makes pages of views. */
@Injectable()
export class PageRenderer {
  constructor(
    private readonly settings: Settings,
    private readonly publicUrl: PublicUrl,
    private readonly assets: Assets,
  ) {}

  /** The page, with the headers that make it safe set on the response. */
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

  /** Where a path of ours is, seen from a browser. */
  locationOf(path: string): string {
    return this.publicUrl.basePath + path;
  }
}
