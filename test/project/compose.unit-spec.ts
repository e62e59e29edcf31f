import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const text = readFileSync('docker-compose.yml', 'utf8');
const variant = text
  .slice(text.indexOf('# One container on SQLite'))
  .split('\n')
  .slice(1)
  .map((line) => line.replace(/^# ?/, ''))
  .join('\n');

const onMysql = parse(text);
const onSqlite = parse(variant);

describe('docker-compose.yml', () => {
  it.each([
    ['on MySQL', onMysql],
    ['on SQLite', onSqlite],
  ])('runs the service %s with a read-only root and without privileges', (_name, { services }) => {
    expect(services.app).toMatchObject({
      build: '.',
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

  it('has a SQLite variant that passes the same linter', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sealpush-compose-'));
    const file = join(folder, 'docker-compose.yml');
    await writeFile(file, variant);
    const lint = promisify(execFile)('node_modules/.bin/dclint', ['--max-warnings', '0', file]);

    await expect(lint).resolves.toMatchObject({ stderr: '' });
    await rm(folder, { recursive: true });
  });
});
