import { isDeepStrictEqual } from 'node:util';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { AppModule } from '../../src/app.module.js';
import { AuditEntryDto } from '../../src/audit/audit-entry.dto.js';
import {
  AnsweredDto,
  ClosedRequestDto,
  OwnRequestDto,
  RequestAuditEntryDto,
  RequestDto,
  RequestPreviewDto,
  RequestWithAnswersDto,
} from '../../src/features/requests/request.dto.js';
import { GeneratedDto } from '../../src/features/generator/generate.dto.js';
import { FileLinkDto } from '../../src/files/file-link.dto.js';
import { AuditEntryWithMailsDto } from '../../src/pushes/audit-log/audit-entry-with-mails.dto.js';
import { AuditLineDto } from '../../src/pushes/audit-log/audit-line.dto.js';
import { CodeRequestedDto } from '../../src/pushes/recipients/code-requested.dto.js';
import { MailsQueuedDto, NotifyByEmailDto } from '../../src/pushes/link-mails/notify-by-email.dto.js';
import { CreatedPushDto } from '../../src/pushes/create/create-push.dto.js';
import { OwnPushDto, PreviewDto, PushDto, RetrievedPushDto } from '../../src/pushes/push/push.dto.js';
import { APPLICATION_VERSION } from '../../src/platform/settings/application-version.js';
import { FeatureDto, VersionDto } from '../../src/version/version.dto.js';
import { NEW_PUSHES } from './create-body.js';
import { SHARED_EXAMPLES } from './examples.js';
import { GENERATION } from './generate-operation.js';
import { HEADERS } from './headers.js';
import { MAIL_BODIES } from './mail-body.js';
import { describeOperation } from './operation.js';
import { OPERATIONS } from './operations.js';
import { PARAMETERS, PREFIXES } from './parameters.js';
import type { Json } from './references.js';
import { extending } from './references.js';
import { NEW_REQUESTS, REQUEST_BODIES } from './request-fields.js';
import { RESPONSES } from './responses.js';
import { EXCEPTIONS, PROPERTIES, SCHEMAS } from './schemas.js';

/** Routes that API clients use, including the pages that they know. */
const DOCUMENTED = [
  /^\/(api$|api\/v[12]\/|files\/(?!all\/)|up$|ready$)/,
  /^\/[pfr](\/.+)?\.json$/,
  /^\/(p\/\{url_token\}(\/r)?\/preview|[fr]\/.+|\{locale\}\/.+|api_tokens|help\/api)$/,
];

/** The schemas of responses. Those of request bodies are in create-body.ts, request-fields.ts, mail-body.ts and generate-operation.ts; forms of pages are not documented. */
const ANSWERS = [
  PushDto,
  OwnPushDto,
  CreatedPushDto,
  RetrievedPushDto,
  PreviewDto,
  AuditEntryDto,
  AuditLineDto,
  AuditEntryWithMailsDto,
  NotifyByEmailDto,
  MailsQueuedDto,
  CodeRequestedDto,
  FileLinkDto,
  RequestDto,
  OwnRequestDto,
  RequestWithAnswersDto,
  ClosedRequestDto,
  AnsweredDto,
  RequestPreviewDto,
  RequestAuditEntryDto,
  GeneratedDto,
  FeatureDto,
  VersionDto,
];

/**
 * The document of both versions of the API. Routes, parameters and schemas come from the code, by the
 * compiler plugin of `npm run openapi`; the rest comes from the other files of this folder.
 */
export async function buildDocument(): Promise<OpenAPIObject> {
  ApiProperty({ type: 'null' })(PushDto.prototype, 'passphrase'); // the plugin does not know this type
  const app = await NestFactory.create(AppModule, { preview: true, logger: false, abortOnError: false });
  const document = SwaggerModule.createDocument(app, head(), { extraModels: ANSWERS });
  document.paths = described(document.paths);
  document.components = completeComponents(document.components ?? {});
  return document;
}

function completeComponents({ securitySchemes, schemas = {} }: Components): object {
  return {
    securitySchemes,
    schemas: {
      ...shapesOfAnswers(schemas),
      ...SCHEMAS,
      ...NEW_PUSHES,
      ...NEW_REQUESTS,
      ...MAIL_BODIES,
      ...GENERATION,
    },
    requestBodies: REQUEST_BODIES,
    responses: RESPONSES,
    headers: HEADERS,
    parameters: PARAMETERS,
    examples: SHARED_EXAMPLES,
  };
}

function head() {
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Sealpush')
    .setDescription(
      'Shares secrets by links that expire. This document has the schemas; docs/api.md explains the rules. ' +
        'Every path also works with a trailing slash and with doubled slashes; those under /api also with ' +
        '`.json` after them, those of version 1 also with a locale before them (`/en/p.json`). ' +
        'More keys may be added to responses: ignore those you do not know. ' +
        'Invalid HTTP, a missing host or a slow request is refused before any operation (400, 408, 431).',
    )
    .setVersion(APPLICATION_VERSION)
    .addServer('/', 'The installation that sends this document')
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addTag('pushes', 'Secrets, from creation to deletion')
    .addTag('requests', 'Requests for secrets, and answers to them')
    .addTag(
      'v1',
      'The first version of the API, for programs that were written for it; docs/api-v1.md explains it',
    )
    .addTag('generator', 'Random passwords, passphrases and PINs')
    .addTag('uploads', 'Files in parts, before their push, by the protocol tus 1.0')
    .addTag('files', 'Downloads, by the links that retrievals return')
    .addTag('version', 'Version and features of this installation')
    .addTag('pages', 'Pages and redirects that clients use')
    .addTag('health', 'For process managers and load balancers')
    .addSecurityRequirements('token')
    .addSecurity('token', {
      type: 'http',
      scheme: 'bearer',
      description: 'An API token of an account. See docs/api.md for other forms.',
    })
    .build();
}

/** @throws Error when a route is not described, or a description has no route */
function described(scanned: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const unused = new Map(
    Object.keys(OPERATIONS).flatMap((name) => routesOf(name).map((route) => [route, name])),
  );
  const paths: OpenAPIObject['paths'] = {};
  for (const [scannedPath, item] of Object.entries(scanned)) {
    if (!DOCUMENTED.some((pattern) => pattern.test(scannedPath))) continue;
    for (const [method, { summary }] of Object.entries(item as Record<string, { summary?: string }>)) {
      const route = `${method} ${scannedPath}`;
      const name = unused.get(route);
      const facts = OPERATIONS[name ?? ''];
      if (!name || !facts) throw new Error(`tools/openapi/operations.ts does not describe ${route}`);
      unused.delete(route);
      const path = name.slice(method.length + 1).replace(/\/openapi$/, '/openapi.json'); // as it is documented everywhere
      paths[path] = { ...paths[path], [method]: describeOperation(path, summary, facts) };
    }
  }
  if (unused.size > 0) throw new Error(`No route: ${[...unused.keys()].join(', ')}`);
  return paths;
}

/** The routes of an operation: one for each prefix, if its path leaves the prefix open. */
function routesOf(operation: string): string[] {
  const [parameter, name] = /\{(prefix|kind_prefix)\}/.exec(operation) ?? [];
  if (!parameter) return [operation];
  return PREFIXES[name as keyof typeof PREFIXES].map((prefix) => operation.replace(parameter, prefix));
}

type Components = NonNullable<OpenAPIObject['components']>;
type Schemas = NonNullable<Components['schemas']>;

/** A schema of an object, as the plugin generates it. */
interface Shape {
  type?: unknown;
  properties?: Record<string, Shape>;
  required?: string[];
  selfRequired?: boolean;
}

/** The schemas of responses, with facts about their properties that types cannot express. */
function shapesOfAnswers(schemas: Schemas): Record<string, object> {
  const shapes = new Map<unknown, Shape>(
    ANSWERS.map((dto) => [dto, completed(dto.name, schemas[dto.name] as Shape)]),
  );
  return Object.fromEntries(
    ANSWERS.map((dto) => {
      const shape = shapes.get(dto) ?? {};
      const parent = Object.getPrototypeOf(dto) as { name: string };
      const inherited = shapes.get(parent);
      return [dto.name, inherited ? inheriting(parent.name, inherited, shape) : shape];
    }),
  );
}

/** The schema of a class that extends another: that of the other, and what it adds. */
function inheriting(parent: string, inherited: Shape, { properties = {}, required = [] }: Shape): Json {
  const isOwn = (name: string) => !isDeepStrictEqual(properties[name], inherited.properties?.[name]);
  const own = Object.entries(properties).filter(([name]) => isOwn(name));
  return extending(parent, Object.fromEntries(own), required.filter(isOwn));
}

/** Adds facts about the properties. The plugin says which are required, but not of an object within another: there all are. */
function completed(name: string, scanned: Shape): Shape {
  const shape = { ...scanned, selfRequired: undefined };
  if (!shape.properties) return shape;
  const properties = Object.entries(shape.properties).map(([property, type]) => [
    property,
    { ...completed(name, type), ...(EXCEPTIONS[name]?.[property] ?? PROPERTIES[property]) },
  ]);
  return {
    ...shape,
    properties: Object.fromEntries(properties) as Record<string, Shape>,
    required: scanned.required ?? Object.keys(shape.properties),
  };
}
