import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FOLDER = 'deploy/proxies';
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** The paths of all keys, such as `http.routers.*.rule`. */
function keysOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => keysOf(each, path));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, path === '' ? key : `${path}.${key}`));
}

/** What Traefik 3.6.7 knows of it (its reference of the install and routing configuration). */
const STATIC_KEYS = [
  'entryPoints.web.address',
  'entryPoints.web.http.redirections.entryPoint.to',
  'entryPoints.web.http.redirections.entryPoint.scheme',
  'entryPoints.websecure.address',
  'entryPoints.websecure.transport.respondingTimeouts.readTimeout',
  'entryPoints.websecure.transport.respondingTimeouts.idleTimeout',
  'entryPoints.websecure.http.encodedCharacters.allowEncodedHash',
  'entryPoints.websecure.http.encodedCharacters.allowEncodedPercent',
  'serversTransport.forwardingTimeouts.dialTimeout',
  'serversTransport.forwardingTimeouts.idleConnTimeout',
  'providers.file.filename',
  'certificatesResolvers.letsencrypt.acme.email',
  'certificatesResolvers.letsencrypt.acme.storage',
  'log.level',
  'accessLog.format',
  'accessLog.fields.defaultMode',
  'accessLog.fields.headers.defaultMode',
];
const ROUTER_KEYS = ['entryPoints', 'rule', 'service', 'tls.certResolver'].map(
  (key) => `http.routers.sealpush.${key}`,
);

describe('The configuration of Traefik', () => {
  const configuration = parse(read('traefik.yml'));

  it('has no key that Traefik does not know, because it would not start', () => {
    const fields = Object.keys(configuration.accessLog.fields.names as object);

    expect(keysOf(configuration).toSorted()).toEqual(
      [...STATIC_KEYS, ...fields.map((name) => `accessLog.fields.names.${name}`)].toSorted(),
    );
    for (const name of ['traefik-dynamic.yml', 'traefik-sub-path.yml'])
      expect(keysOf(parse(read(name)))).toEqual([
        ...ROUTER_KEYS,
        'http.services.sealpush.loadBalancer.servers.url',
      ]);
  });

  it('logs no path, no query and no header (B10, H1)', () => {
    const { fields } = configuration.accessLog;

    expect([fields.defaultMode, fields.headers]).toEqual(['drop', { defaultMode: 'drop' }]);
    expect(Object.keys(fields.names as object).filter((name) => /Path|Line|Addr|URL/i.test(name))).toEqual(
      [],
    );
    expect(configuration.log.level).toBe('ERROR');
  });

  it('keeps idle connections for a shorter time than Sealpush', () => {
    expect(configuration.serversTransport.forwardingTimeouts.idleConnTimeout).toBe('60s');
  });

  it('names entry points and resolvers that exist', () => {
    const { services } = parse(read('traefik-labels.yml'));
    const labels = services.app.labels as Record<string, string>;
    const routers = [
      ...['traefik-dynamic.yml', 'traefik-sub-path.yml'].map(
        (name) => parse(read(name)).http.routers.sealpush,
      ),
      {
        entryPoints: [labels['traefik.http.routers.sealpush.entrypoints']],
        tls: { certResolver: labels['traefik.http.routers.sealpush.tls.certresolver'] },
      },
    ];

    for (const { entryPoints, tls } of routers) {
      expect(Object.keys(configuration.entryPoints as object)).toEqual(expect.arrayContaining(entryPoints));
      expect(Object.keys(configuration.certificatesResolvers as object)).toContain(tls.certResolver);
    }
    expect(services.app.environment.TRUSTED_PROXIES).toBe(services.traefik.networks.proxy.ipv4_address);
  });
});

describe('The files of nginx', () => {
  /** The directives that concern what is passed on. */
  const passing = (name: string) => {
    const text = read(name);
    return text
      .slice(text.indexOf('proxy_pass '))
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#') && line !== '}');
  };

  it('pass requests on in the same way, at the root and below a path', () => {
    expect(passing('nginx-sub-path.conf')).toEqual(passing('nginx.conf'));
    expect(passing('nginx.conf').length).toBeGreaterThan(15);
  });
});

describe('The files in deploy/proxies', () => {
  it('each name the settings that Sealpush needs, and are named in the documentation', () => {
    const page = readFileSync('docs/install/reverse-proxies.md', 'utf8');

    for (const name of readdirSync(FOLDER)) {
      expect(page).toContain(`](../../deploy/proxies/${name})`);
      if (name === 'traefik.yml') continue;
      expect(read(name)).toMatch(/PUBLIC_URL[=:] ?https:\/\//);
      expect(read(name)).toMatch(/TRUSTED_PROXIES[=:] ?\d/);
    }
  });

  it('are the only configurations of a proxy: documents change single lines of them (M10)', () => {
    const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
      .map((name) => join('docs', name));

    for (const path of [...documents, 'README.md'])
      expect([
        path,
        readFileSync(path, 'utf8').match(/proxy_pass |reverse_proxy |access_log |^ *server \{/gm),
      ]).toEqual([path, null]);
  });
});
