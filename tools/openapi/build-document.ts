import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { AppModule } from '../../src/app.module.js';
import { AuditEntryDto } from '../../src/audit/audit-entry.dto.js';
import { FileLinkDto } from '../../src/files/file-link.dto.js';
import { OwnPushDto, PreviewDto, PushDto, RetrievedPushDto } from '../../src/pushes/push.dto.js';
import { Settings } from '../../src/settings/settings.js';
import { VersionService } from '../../src/version/version.service.js';
import { VersionDto } from '../../src/version/version.dto.js';
import type { Operation } from './operation.js';
import { describeOperation } from './operation.js';
import { OPERATIONS } from './operations.js';
import { EXCEPTIONS, PROPERTIES, SCHEMAS } from './schemas.js';

/** What programs ask for, pages that they know among it. */
const DOCUMENTED = [
  /^\/(api$|api\/v[12]\/|files\/|up$|ready$)/,
  /^\/[pfr](\/.+)?\.json$/,
  /^\/(p\/\{url_token\}(\/r)?\/preview|[fr]\/.+|\{locale\}\/.+|api_tokens|help\/api)$/,
];

/** The shapes of answers. What routes take is told in operations.ts, and forms of pages are no part of it. */
const ANSWERS = [PushDto, OwnPushDto, RetrievedPushDto, PreviewDto, AuditEntryDto, FileLinkDto, VersionDto];

/**
 * The document of both versions of the API: routes, parameters and shapes as the code has them, by the compiler plugin of
 * `npm run openapi`; the rest from what stands beside this file.
 */
export async function buildDocument(): Promise<OpenAPIObject> {
  ApiProperty({ type: 'null' })(PushDto.prototype, 'passphrase'); // the plugin does not know this type
  const app = await NestFactory.create(AppModule, { preview: true, logger: false, abortOnError: false });
  const document = SwaggerModule.createDocument(app, head(), { extraModels: ANSWERS });
  document.paths = described(document.paths);
  document.components = {
    securitySchemes: document.components?.securitySchemes,
    schemas: { ...shapesOfAnswers(document.components?.schemas ?? {}), ...SCHEMAS },
  };
  return document;
}

function head() {
  const { application_version: version } = new VersionService(new Settings()).tell();
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Sealpush')
    .setDescription(
      'Hands over secrets by links that expire. This describes the shapes; docs/api.md explains the rules. ' +
        'Every path also answers with a slash at the end and with doubled slashes; those under /api also with ' +
        '`.json` after them, those of version 1 also with a locale before them (`/en/p.json`). ' +
        'More keys may come in answers: ignore those you do not know. ' +
        'What is not HTTP, names no host or takes too long is refused before an operation sees it (400, 408, 431).',
    )
    .setVersion(version)
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addTag('pushes', 'Secrets, from creation to deletion')
    .addTag(
      'v1',
      'The first version of the API, for programs that were written for it; docs/api-v1.md explains it',
    )
    .addTag('files', 'Downloads, by links that retrieved pushes tell')
    .addTag('version', 'What this installation is and offers')
    .addTag('pages', 'Pages and redirects that programs know')
    .addTag('health', 'For whoever looks after the process')
    .addSecurity('token', {
      type: 'http',
      scheme: 'bearer',
      description: 'An API token of an account. See docs/api.md for other forms.',
    })
    .build();
}

/** @throws Error when a route has nothing said about it, or what is said is of no route */
function described(scanned: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const unused = new Set(Object.keys(OPERATIONS));
  const paths: OpenAPIObject['paths'] = {};
  for (const [scannedPath, item] of Object.entries(scanned)) {
    if (!DOCUMENTED.some((pattern) => pattern.test(scannedPath))) continue;
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      const name = `${method} ${scannedPath}`;
      const facts = OPERATIONS[name];
      if (!facts) throw new Error(`src/openapi/operations.ts says nothing of ${name}`);
      unused.delete(name);
      const path = scannedPath === '/api/v2/openapi' ? `${scannedPath}.json` : scannedPath; // as it is told everywhere
      paths[path] = { ...paths[path], [method]: describeOperation(operation, facts) };
    }
  }
  if (unused.size > 0) throw new Error(`No route: ${[...unused].join(', ')}`);
  return paths;
}

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** A schema of an object, as the plugin makes it. */
interface Shape {
  type?: unknown;
  properties?: Record<string, Shape>;
  selfRequired?: boolean;
}

/** Those shapes, with what types cannot say of their properties. */
function shapesOfAnswers(schemas: Schemas): Schemas {
  const answers = Object.entries(schemas).filter(([name]) => ANSWERS.some((dto) => dto.name === name));
  return Object.fromEntries(
    answers.map(([name, schema]) => [name, completed(name, schema as Shape)]),
  ) as Schemas;
}

/** No property of an answer is ever left out. */
function completed(name: string, scanned: Shape): Shape & { required?: string[] } {
  const shape = { ...scanned, selfRequired: undefined };
  if (!shape.properties) return shape;
  const properties = Object.entries(shape.properties).map(([property, type]) => [
    property,
    { ...completed(name, type), ...(EXCEPTIONS[name]?.[property] ?? PROPERTIES[property]) },
  ]);
  return {
    ...shape,
    properties: Object.fromEntries(properties) as Record<string, Shape>,
    required: Object.keys(shape.properties),
  };
}
