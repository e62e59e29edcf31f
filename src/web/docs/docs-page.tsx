import { Injectable } from '@nestjs/common';
import { StaticFile } from '../../http/static-file.js';
import { Settings } from '../../settings/settings.js';
import { readDescription } from '../../version/docs-files.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { ApiPage } from './api-page.js';
import type { Description } from './open-api.js';

/** The origin in the examples of the OpenAPI document. The script of the page puts the real one in its place. */
const EXAMPLE_ORIGIN = 'https://push.example.org';

/** The page at /api/docs. It is the same for everyone, so it is rendered once, at its first request. */
@Injectable()
export class DocsPage {
  readonly file = new StaticFile('text/html; charset=utf-8', () => this.render());

  constructor(
    private readonly renderer: PageRenderer,
    private readonly settings: Settings,
  ) {}

  private async render(): Promise<Buffer> {
    const description = JSON.parse((await readDescription()).toString()) as Description;
    const origin = this.settings.PUBLIC_URL ?? EXAMPLE_ORIGIN;
    return Buffer.from(
      this.renderer.renderForAnyone(<ApiPage description={description} origin={origin} />, '/api/docs'),
    );
  }
}
