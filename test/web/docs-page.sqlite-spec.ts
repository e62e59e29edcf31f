import type { Schema } from '../../src/web/docs/open-api.js';
import { examplesOf } from '../../src/web/docs/open-api.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { document, resolved } from '../support/openapi.js';
import { startApp } from '../support/start-app.js';

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };

/** The text that a person reads, as far as it is not code spans or attributes. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ');
const plain = (text: string) => text.replaceAll('`', '').replace(/\s+/g, ' ');

const operations = Object.entries(resolved.paths as Record<string, Record<string, any>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/** Every name of a field and every description in a schema, at any depth. */
const contentsOf = (schema: Schema): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    name,
    ...(property.description === undefined ? [] : [plain(property.description)]),
    ...(property.enum ?? []).map(String),
    ...contentsOf(property),
    ...contentsOf(property.items ?? {}),
  ]);

describe('The documentation of the API as a page', () => {
  const running = forAllTests(startApp);
  let html: string;
  let headers: Headers;
  let sections: Map<string, string>;

  beforeAll(async () => {
    ({ body: html, headers } = await running.anonymous.get('/api/docs'));
    const parts = html.split('<details class="operation">').slice(1);
    sections = new Map(parts.map((part) => [/<div id="([^"]+)"/.exec(part)?.[1] ?? '', textOf(part)]));
  });

  it.each(operations.map(({ operation: { operationId }, ...rest }) => [operationId, rest]))(
    'describes %s',
    (operationId) => {
      const { method, path, operation } = operations.find(
        ({ operation: { operationId: id } }) => id === operationId,
      ) as (typeof operations)[number];
      const expected = [
        `${method} ${path}`,
        plain(operation.summary),
        plain(operation.description ?? ''),
        ...(operation.parameters ?? []).flatMap(({ name, description }: any) => [name, plain(description)]),
        ...Object.entries<any>(operation.requestBody?.content ?? {}).flatMap(([type, { schema }]) => [
          type,
          ...contentsOf(schema),
        ]),
        ...Object.entries<any>(operation.responses).flatMap(([status, { description, content, headers }]) => [
          `${status} ${plain(description)}`,
          ...Object.keys(headers ?? {}),
          ...Object.entries<any>(content ?? {}).flatMap(([type, content]) => [
            type,
            ...examplesOf(content).map(({ value }) => plain(textOfExample(value))),
          ]),
        ]),
        'curl ',
      ];

      const section = sections.get(operationId) ?? '';
      expect(expected.filter((text) => !section.includes(text))).toEqual([]);
    },
  );

  it('lists every field of every schema', () => {
    const schemas = Object.entries(resolved.components.schemas as Record<string, Schema>);

    expect(schemas.length).toBeGreaterThan(10);
    for (const [name, schema] of schemas) {
      const section = sections.get(`schema-${name}`) ?? '';
      expect([name, contentsOf(schema).filter((text) => !section.includes(text))]).toEqual([name, []]);
    }
  });

  it('has a target for each of its links', () => {
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);

    expect(targets.length).toBeGreaterThan(100);
    expect(targets.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBe([...html.matchAll(/ id="([^"]+)"/g)].length);
  });

  it('loads its parts from this server only, under a policy without exceptions', async () => {
    const parts = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address = '']) => address);

    expect(parts).toEqual(expect.arrayContaining(['/', '/api/v2/openapi.json', '/api/docs.md']));
    for (const part of parts) expect([part, (await running.anonymous.get(part)).status]).toEqual([part, 200]);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain(
      "default-src 'none';script-src 'self';style-src 'self'",
    );
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(html).not.toMatch(/<script(?![^>]* src=| type="application\/json")|<style|\sstyle=|\son[a-z]+=/);
  });

  it('may be cached, since it is the same for everyone and echoes nothing of a request (E1)', async () => {
    const hostile = running.anonymous.with({
      Host: 'evil.example.org',
      Cookie: 'session=x',
      Referer: 'https://x/',
    });
    const { body, headers: others } = await hostile.get('/api/docs?url=https://evil.example.org&<script>=1');

    expect(body).toBe(html);
    expect(others.get('cache-control')).toBe('public, max-age=3600, no-transform');
  });

  it('has its own texts in the language of the visitor, and says that the descriptions are in English', async () => {
    const { body, headers: german } = await running.anonymous
      .with({ 'Accept-Language': 'de' })
      .get('/api/docs');
    const ours = [
      'Benötigt',
      'Ausprobieren',
      'Anfrage senden',
      'Beispiel',
      'Antworten',
      'höchstens',
      'mindestens',
    ];

    expect(body).toContain('<html lang="de" dir="ltr">');
    expect(body).toContain('Die Beschreibungen der API sind auf Englisch.');
    expect(ours.filter((text) => !body.includes(text))).toEqual([]);
    expect(body).not.toMatch(/>(Example|Responses|Parameters|Try it|Send the request)</);
    expect(body).toContain('<span lang="en" dir="ltr">Creates a push.</span>');
    expect(german.get('vary')).toBe('Accept-Language, Cookie, Accept-Encoding');
    expect(html).not.toContain('in English');
  });

  it.each(['package.json', '..%2f..%2fpackage.json', 'swagger-ui.js', 'constructor'])(
    'has no %s (F1)',
    async (name) => {
      expect((await running.anonymous.get(`/api/docs/${name}`)).status).toBe(404);
    },
  );

  it('has the address of the installation in its commands and links', async () => {
    const other = await forThisTest(startApp({ PUBLIC_URL: 'https://push.example.net/secrets' }));
    const { body } = await other.anonymous.get('/api/docs');

    expect(textOf(body)).toContain("'https://push.example.net/secrets/api/v2/version'");
    expect(body).toContain('href="/secrets/api/v2/openapi.json"');
    expect(body).toContain('data-path="/secrets/api/v2/pushes/{url_token}"');
  });
});

describe('The texts of openapi.json', () => {
  it('use no Markdown but code spans, since the page shows nothing else', () => {
    const texts: string[] = [];
    JSON.stringify(document, (key, value: unknown) => {
      if ((key === 'description' || key === 'summary') && typeof value === 'string') texts.push(value);
      return value;
    });

    const unshown = /[*<>[\]#\n]|\b_|_\b|^\s*[-+>]|``/;
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter((text) => unshown.test(text.replace(/`[^`]*`/g, '')))).toEqual([]);
  });

  it('have schemas of keywords that the page shows', () => {
    const shown = [
      ...[
        '$ref',
        'type',
        'format',
        'description',
        'enum',
        'const',
        'default',
        'pattern',
        'minimum',
        'maximum',
      ],
      ...[
        'maxLength',
        'maxItems',
        'contentEncoding',
        'contentMediaType',
        'anyOf',
        'items',
        'properties',
        'additionalProperties',
      ],
      ...['required', 'examples'],
    ];
    const unimportant = ['minProperties', 'minItems'];
    const used = new Set<string>();
    const collect = (schema: Schema): void => {
      for (const keyword of Object.keys(schema)) used.add(keyword);
      for (const property of Object.values(schema.properties ?? {})) collect(property);
      for (const type of schema.anyOf ?? []) collect(type);
      if (schema.items) collect(schema.items);
      if (schema.additionalProperties) collect(schema.additionalProperties);
    };
    JSON.stringify(resolved, (key, value) => {
      if (key === 'schema') collect(value);
      return value;
    });
    for (const schema of Object.values(resolved.components.schemas as Record<string, Schema>))
      collect(schema);

    expect([...used].filter((keyword) => ![...shown, ...unimportant].includes(keyword))).toEqual([]);
  });
});

function textOfExample(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}
