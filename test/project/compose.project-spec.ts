import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { allSettings } from '../../src/platform/settings/settings-classes.js';
import '../../src/platform/settings/settings.js';
import { blocksOf } from '../support/documents.js';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const onMysql = parse(readFileSync('docker-compose.yml', 'utf8'));
const onSqlite = parse(readFileSync('deploy/compose/sqlite.yml', 'utf8'));

describe('The compose files', () => {
  it.each([
    ['on MySQL', onMysql],
    ['on SQLite', onSqlite],
  ])('runs the service %s with a read-only root and without privileges', (_name, { services }) => {
    expect(services.app).toMatchObject({
      volumes: ['data:/data'],
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(Object.keys(services.app as object)).not.toContain('user'); // the user of the image is used
  });

  it.each([
    ['on MySQL', onMysql],
    ['on SQLite', onSqlite],
  ])('publishes only the service %s, and only on localhost (K2)', (_name, { services }) => {
    const { app, ...others } = services;

    expect(app.ports).toEqual(['127.0.0.1:5100:5100']);
    for (const other of Object.values<any>(others)) {
      expect(other.ports).toBeUndefined();
      expect(other.network_mode).toBeUndefined();
    }
  });

  it('reads every secret from a file that is not in the repository', () => {
    const environments = Object.values<any>(onMysql.services).flatMap((service) =>
      Object.entries<string>(service.environment as Record<string, string>),
    );
    const secret = environments.filter(([name]) => /KEY|PASSWORD|URL/.test(name) && !/RANDOM/.test(name));
    const secretFiles = Object.keys(onMysql.secrets as object).map((name) => `/run/secrets/${name}`);

    expect(secret.map(([, value]) => value).sort()).toEqual(secretFiles.sort());
    expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain('secrets');
  });

  it('starts the service when its database is ready, and keeps the data of both', () => {
    const { app, mysql } = onMysql.services;

    expect(app.depends_on).toEqual({ mysql: { condition: 'service_healthy' } });
    expect(mysql.healthcheck.test).toContain('mysqladmin');
    expect(Object.keys(onMysql.volumes as object)).toEqual(['data', 'mysql']);
    expect(mysql.volumes).toEqual(['mysql:/var/lib/mysql']);
  });

  it('builds or names the image that the page tells to build', () => {
    expect(onMysql.services.app.build).toBe('.');
    expect(onSqlite.services.app.image).toBe('${SEALPUSH_IMAGE:-sealpush}');
    expect(readFileSync('docs/install/compose.md', 'utf8')).toContain('\ndocker build -t sealpush .\n');
  });

  it('agree with the image on its volume, its port and its health check', () => {
    expect(dockerfile).toContain('\nVOLUME /data\n');
    expect(dockerfile).toContain('\nEXPOSE 5100\n');
    expect(dockerfile).toContain('\nHEALTHCHECK '); // `up --wait` waits for it
    for (const { app } of [onMysql.services, onSqlite.services]) {
      expect(app).not.toHaveProperty('healthcheck');
      expect(app).not.toHaveProperty('command');
    }
  });

  it('end their page as the other ways to install do: with the session that a test runs', () => {
    const [session] = blocksOf('docs/install/systemd.md', 'bash');

    expect(session).toContain('it works');
    for (const page of ['compose', 'kubernetes']) {
      expect(blocksOf(`docs/install/${page}.md`, 'bash')).toEqual([session]);
    }
  });

  it('set only settings that exist', () => {
    const known = [...allSettings().keys()].flatMap((name) => [name, `${name}_FILE`]);
    const set = Object.keys(onMysql.services.app.environment as object);

    expect(known).toEqual(expect.arrayContaining(set));
  });
});
