import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StaticFile } from '../http/static-file.js';

/** Allows nothing from other hosts; inline styles are needed because the page sets them on its own elements. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** URLs are relative to /api/docs, so that a proxy may serve the service under a path. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sealpush API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" href="docs/favicon-32x32.png">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/start.js" defer></script>
</head>
<body>
<p style="margin: 1em; font-family: sans-serif">The shapes, from <a href="v2/openapi.json">openapi.json</a>. The rules are in <a href="docs.md">docs/api.md</a>.</p>
<main id="docs"></main>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: 'v2/openapi.json', dom_id: '#docs', validatorUrl: null });\n`;

/** The files that the page loads, by name. */
export const DOCS_ASSETS: ReadonlyMap<string, StaticFile> = new Map([
  ['start.js', new StaticFile('text/javascript; charset=utf-8', () => Promise.resolve(Buffer.from(START)))],
  ['swagger-ui-bundle.js', packaged('swagger-ui-bundle.js', 'text/javascript; charset=utf-8')],
  ['swagger-ui.css', packaged('swagger-ui.css', 'text/css; charset=utf-8')],
  ['favicon-32x32.png', packaged('favicon-32x32.png', 'image/png')],
]);

/** The rules of the API as text. */
export const DOCS_TEXT = ofProject('docs/api.md', 'text/plain; charset=utf-8');

/** The OpenAPI description. */
export const DOCS_DESCRIPTION = ofProject('openapi.json', 'application/json; charset=utf-8');

/** A file of the package swagger-ui-dist, looked up only when it is requested. */
function packaged(name: string, type: string): StaticFile {
  return new StaticFile(type, () => readFile(require.resolve(`swagger-ui-dist/${name}`)));
}

function ofProject(path: string, type: string): StaticFile {
  return new StaticFile(type, () => readFile(join(__dirname, '../..', path)));
}
