import type { PipeTransform } from '@nestjs/common';
import { Injectable, NotFoundException, Get, Param } from '@nestjs/common';
import { PublicPage } from '../auth/access.decorators.js';
import { TextsService } from '../platform/i18n/texts.service.js';
import { OnGateway } from '../platform/http/gateway.guard.js';
import { SeeOther, PageController } from './pages/page-controller.js';
import { UrlTokenPipe } from './pages/paths.js';

/** Accepts a locale in a path, such as `en` or `pt-BR`; anything else is a 404. */
@Injectable()
class LocalePipe implements PipeTransform<string, string> {
  transform(locale: string): string {
    if (!/^[a-z]{2}(-[A-Z]{2})?$/.test(locale)) throw new NotFoundException();
    return locale;
  }
}

/** The paths of a push with and without the confirmation step. */
const linksBelow = (prefixes: string[]) =>
  prefixes.flatMap((prefix) => [`${prefix}/:url_token`, `${prefix}/:url_token/r`]);

/** URLs that clients know from other servers of this API, or put into emails. */
@PageController()
export class RedirectsController {
  constructor(private readonly texts: TextsService) {}

  /** Redirects the links of file and URL pushes to the link that pushes of all kinds have. */
  @Get(linksBelow(['f', 'r']))
  @PublicPage()
  @OnGateway()
  redirectLink(@Param('url_token', UrlTokenPipe) urlToken: string): SeeOther {
    return new SeeOther(`/p/${urlToken}`);
  }

  /** Redirects links with a locale to the link without it, which then is in that language if it is offered. */
  @Get(linksBelow([':locale/p', ':locale/f', ':locale/r']))
  @PublicPage()
  @OnGateway()
  redirectLinkWithLocale(
    @Param('locale', LocalePipe) locale: string,
    @Param('url_token', UrlTokenPipe) urlToken: string,
  ): SeeOther {
    const language = this.texts.languageOf(locale);
    return new SeeOther(`/p/${urlToken}${language ? `?locale=${language}` : ''}`);
  }

  /** Redirects to the page where users create their API tokens. */
  @Get('api_tokens')
  @PublicPage()
  redirectToTokens(): SeeOther {
    return new SeeOther('/users/token');
  }

  /** Redirects to the API documentation. */
  @Get('help/api')
  @PublicPage()
  redirectToDocumentation(): SeeOther {
    return new SeeOther('/api/docs');
  }
}
