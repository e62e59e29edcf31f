import { Get, Param } from '@nestjs/common';
import { OpenPage } from '../auth/access.decorators.js';
import { LocalePipe } from './locale.pipe.js';
import { SeeOther } from './page-answer.js';
import { PageController } from './page-controller.js';
import { UrlTokenPipe } from './url-token.pipe.js';

/** With and without the confirmation step. */
const linksBelow = (prefixes: string[]) =>
  prefixes.flatMap((prefix) => [`${prefix}/:url_token`, `${prefix}/:url_token/r`]);

/** Addresses that programs know of other servers of this API, or write into mails. */
@PageController()
export class RedirectsController {
  /** Redirects the links of other kinds of pushes to the one that all have. */
  @Get(linksBelow(['f', 'r']))
  @OpenPage()
  redirectLink(@Param('url_token', UrlTokenPipe) urlToken: string): SeeOther {
    return new SeeOther(`/p/${urlToken}`);
  }

  /** Redirects links with a locale to the one without. */
  @Get(linksBelow([':locale/p', ':locale/f', ':locale/r']))
  @OpenPage()
  redirectLinkWithLocale(
    @Param('locale', LocalePipe) _locale: string,
    @Param('url_token', UrlTokenPipe) urlToken: string,
  ): SeeOther {
    return new SeeOther(`/p/${urlToken}`);
  }

  /** Redirects to where people make their API tokens. */
  @Get('api_tokens')
  @OpenPage()
  redirectToTokens(): SeeOther {
    return new SeeOther('/users/token');
  }

  /** Redirects to the documentation of the API. */
  @Get('help/api')
  @OpenPage()
  redirectToDocumentation(): SeeOther {
    return new SeeOther('/api/docs');
  }
}
