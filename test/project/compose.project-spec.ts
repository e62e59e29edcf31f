import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { allSettings } from '../../src/platform/settings/settings-classes.js';
import '../../src/platform/settings/settings.js';
import { blockOf, blocksOf } from '../support/documents.js';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const onMysql = parse(readFileSync('docker-compose.yml', 'utf8'));
const onPostgres = parse(readFileSync('deploy/compose/postgres.yml', 'utf8'));
const onSqlite = parse(readFileSync('deploy/compose/sqlite.yml', 'utf8'));

const ALL = [
  ['on MySQL', onMysql],
  ['on PostgreSQL', onPostgres],
  ['on SQLite', onSqlite],
] as const;
const ON_SERVERS = [
  ['MySQL', onMysql],
  ['PostgreSQL', onPostgres],
] as const;

describe('The compose files', () => {
  it.each(ALL)('runs the service %s with a read-only root and without privileges', (_name, { services }) => {
    expect(services.app).toMatchObject({
      volumes: ['data:/data'],
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(Object.keys(services.app as object)).not.toContain('user'); // the user of the image is used
  });

  it.each(ALL)('publishes only the service %s, and only on localhost (K2)', (_name, { services }) => {
    const { app, ...others } = services;

    expect(app.ports).toEqual(['127.0.0.1:5100:5100']);
    for (const other of Object.values<any>(others)) {
      expect(other.ports).toBeUndefined();
      expect(other.network_mode).toBeUndefined();
    }
  });

  it.each(ON_SERVERS)('on %s reads every secret from a file that is not in the repository', (_name, file) => {
    const environments = Object.values<any>(file.services).flatMap((service) =>
      Object.entries<string>(service.environment as Record<string, string>),
    );
    const secret = environments.filter(([name]) => /KEY|PASSWORD|URL/.test(name) && !/RANDOM/.test(name));
    const secretFiles = Object.keys(file.secrets as object).map((name) => `/run/secrets/${name}`);

    expect(secret.map(([, value]) => value).sort()).toEqual(secretFiles.sort());
    expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain('secrets');
  });

  it.each([
    ['mysql', onMysql, 'mysqladmin', '/var/lib/mysql'],
    ['postgres', onPostgres, 'pg_isready', '/var/lib/postgresql'],
  ] as const)(
    'starts the service when %s is ready, and keeps the data of both',
    (name, { services, volumes }, check, folder) => {
      const { app, [name]: database } = services;

      expect(app.depends_on).toEqual({ [name]: { condition: 'service_healthy' } });
      expect(database.healthcheck.test).toEqual(expect.arrayContaining([check, '--host=127.0.0.1']));
      expect(Object.keys(volumes as object)).toEqual(['data', name]);
      expect(database.volumes).toEqual([`${name}:${folder}`]);
    },
  );

  it('find the secrets that the page creates for PostgreSQL, with the address of its server', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sealpush-compose-'));
    try {
      mkdirSync(join(folder, 'deploy/compose'), { recursive: true });
      writeFileSync(join(folder, 'docker'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 }); // there is no engine
      const commands = execFileSync(
        'sh',
        ['-ec', blockOf('docs/install/compose.md', 'sh', 'PostgreSQL', 'docker build')],
        { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}` }, encoding: 'utf8' },
      );
      const secret = (name: string) =>
        join(folder, 'deploy/compose', onPostgres.secrets[name].file as string);
      const password = readFileSync(secret('postgres_password'), 'utf8').trim();
      const { environment } = onPostgres.services.postgres;
      const settings = readSettings({
        DATABASE_URL_FILE: secret('database_url'),
        MASTER_KEYS_FILE: secret('master_keys'),
      });

      expect(commands).toBe('build -t sealpush .\ncompose -f deploy/compose/postgres.yml up -d --wait\n');
      expect(settings.MASTER_KEYS).toHaveLength(1);
      expect(settings.DATABASE_URL).toMatchObject({
        servers: [{ host: 'postgres', port: 5432 }],
        username: environment.POSTGRES_USER,
        password,
        database: environment.POSTGRES_DB,
      });
      expect(statSync(join(folder, 'deploy/compose/secrets')).mode & 0o777).toBe(0o700);
      expect(statSync(secret('database_url')).mode & 0o777).toBe(0o644); // for user 1000
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('builds or names the image that the page tells to build', () => {
    expect(onMysql.services.app.build).toBe('.');
    for (const { services } of [onPostgres, onSqlite]) {
      expect(services.app.image).toBe('${SEALPUSH_IMAGE:-sealpush}');
    }
    for (const heading of ['PostgreSQL', 'SQLite']) {
      const [block] = blocksOf('docs/install/compose.md', 'sh', heading);
      expect(block).toMatch(/^docker build -t sealpush \.\n/);
    }
  });

  it('agree with the image on its volume, its port and its health check', () => {
    expect(dockerfile).toContain('\nVOLUME /data\n');
    expect(dockerfile).toContain('\nEXPOSE 5100\n');
    expect(dockerfile).toContain('\nHEALTHCHECK '); // `up --wait` waits for it
    for (const [, { services }] of ALL) {
      const { app } = services;
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

  it.each(ON_SERVERS)('set only settings that exist on %s', (_name, { services }) => {
    const known = [...allSettings().keys()].flatMap((name) => [name, `${name}_FILE`]);
    const set = Object.keys(services.app.environment as object);

    expect(known).toEqual(expect.arrayContaining(set));
  });
});
