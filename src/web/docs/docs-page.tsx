import { Injectable, Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { StaticFile } from '../../platform/http/static-file.js';
import { Settings } from '../../platform/settings/settings.js';
import { readDescription } from '../../version/docs-files.js';
import type { Language } from '../../texts/languages.js';
import { LANGUAGE_CODES } from '../../texts/languages.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { ApiPage } from './api-page.js';
import type { OpenApiDocument } from './open-api.js';
import { withoutReferences } from './references.js';
import { Public } from '../../auth/access.decorators.js';
import { ReadsCountedAsPages } from '../../platform/limits/rate-limit.guard.js';
import { LANGUAGE_HEADERS, LanguageResolver } from '../language/language-resolver.js';

/** The origin in the examples of the OpenAPI document. The script of the page puts the real one in its place. */
const EXAMPLE_ORIGIN = 'https://push.example.org';

/**
 * The page at /api/docs. It is the same for everyone, so it is rendered once in each language, at its first request.
 */
@Injectable()
export class DocsPage {
  private readonly files = new Map(
    LANGUAGE_CODES.map((language) => [
      language,
      new StaticFile('text/html; charset=utf-8', () => this.render(language)),
    ]),
  );

  constructor(
    private readonly renderer: PageRenderer,
    private readonly settings: Settings,
  ) {}

  /** Responds with the page. */
  async send(language: Language, request: Request, response: Response): Promise<void> {
    await this.files.get(language)?.send(request, response);
  }

  private async render(language: Language): Promise<Buffer> {
    const document = JSON.parse((await readDescription()).toString()) as OpenApiDocument;
    const origin = this.settings.PUBLIC_URL ?? EXAMPLE_ORIGIN;
    const view = <ApiPage document={withoutReferences(document)} origin={origin} />;
    return Buffer.from(this.renderer.renderForAnyone(view, '/api/docs', language));
  }
}

/** Short time in caches, because settings and releases change the page. */
const AN_HOUR = 'public, max-age=3600, no-transform';

@Controller('api/docs')
@ReadsCountedAsPages()
export class DocsPageController {
  constructor(
    private readonly page: DocsPage,
    private readonly renderer: PageRenderer,
    private readonly languages: LanguageResolver,
  ) {}

  /** Shows the documentation of the API as a page. */
  @Get()
  @Public()
  show(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.renderer.secure(request, response);
    response.set('Cache-Control', AN_HOUR).vary(LANGUAGE_HEADERS);
    return this.page.send(this.languages.of(request), request, response);
  }
}
