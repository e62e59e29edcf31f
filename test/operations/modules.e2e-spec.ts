import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '../support/client.js';
import { blockOf } from '../support/documents.js';
import { eventually } from '../support/eventually.js';
import type { Instance } from '../support/instance.js';
import { makeNewInstance } from '../support/instance.js';
import { PASSWORD, PageClient } from '../support/page-client.js';
import { run } from '../support/run.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';

/** Builds the example beside a clone, as the page says, and returns the folder of its project. */
async function buildExample(folder: string): Promise<string> {
  await symlink(resolve('.'), join(folder, 'sealpush'));
  const commands = blockOf('docs/extending.md', 'sh', 'Build it', 'cp -R sealpush/examples/usage usage');
  await promisify(execFile)('sh', ['-ec', commands], { cwd: folder });
  return join(folder, 'usage');
}

/** Installs a package that fails when it is loaded. */
async function installCopy(project: string, name: string): Promise<void> {
  const file = join(project, 'node_modules', name, 'index.js');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "throw new Error('a copy was loaded');");
}

describe('A module in MODULES, built in a project of its own', () => {
  let folder: string;
  let project: string;
  let instance: Instance;
  let server: SpawnedServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealpush-module-'));
    project = await buildExample(folder);
    for (const name of ['@nestjs/common', 'typeorm']) await installCopy(project, name);
    instance = await makeNewInstance();
    server = await spawnServer(instance, env());
  }, 300_000); // it compiles the module
  afterAll(async () => {
    await server.stop();
    await instance.destroy();
    await rm(folder, { recursive: true });
  });

  const env = () => ({ MODULES: join(project, 'dist/usage.module.js'), USAGE_TOTAL_IS_OPEN: 'yes' });
  const command = async (...args: string[]) => {
    const { stdout } = await run('cli.js', instance, { env: env(), args });
    return JSON.parse(stdout);
  };
  const newUser = async () => {
    const email = `${randomUUID()}@example.org`;
    const pages = new PageClient(server.url);
    await pages.post('/users/sign_up', { email, password: PASSWORD });
    await pages.signIn(email);
    const { body } = await pages.post('/users/token', { name: 'test' });
    const token = /value="([\w-]{43})"/.exec(body)?.[1] ?? '';
    return { email, pages, client: new Client(server.url, { Authorization: `Bearer ${token}` }) };
  };
  const total = async () => (await server.anonymous.get('/api/usage/total')).body;

  it('has routes that need a token unless opened, a table, a setting, a listener and a hook for deleted accounts (C2)', async () => {
    const [ada, bob] = [await newUser(), await newUser()];
    await ada.client.push({ payload: 'tulip' });
    await bob.client.push({ payload: 'rose' });
    await server.anonymous.push({ payload: 'lily' });

    await eventually(async () => (await total()).pushes === 2);
    expect((await ada.client.get('/api/usage')).body).toEqual({ pushes: 1 });
    expect((await server.anonymous.get('/api/usage')).status).toBe(401);
    const withWrongToken = server.anonymous.with({ Authorization: 'Bearer wrong' });
    expect((await withWrongToken.get('/api/usage/total')).status).toBe(401);

    await ada.pages.post('/users/edit/delete', { password: PASSWORD });
    expect(await total()).toEqual({ pushes: 1, deletedAccounts: 1 });
    await command('user:delete', bob.email);
    expect(await total()).toEqual({ pushes: 0, deletedAccounts: 1 });
  });

  it('has its table exported and imported, or named as left out where the module is not loaded', async () => {
    const [file, without] = ['with', 'without'].map((name) => join(instance.dataDir, `${name}.export`));
    const { client } = await newUser();
    await client.push({ payload: 'tulip' });
    await eventually(async () => (await client.get('/api/usage')).body.pushes === 1);
    const { rows, left_out } = await command('export', file ?? '');
    expect([rows.usage_counts > 0, left_out]).toEqual([true, undefined]);
    const exported = await run('cli.js', instance, { args: ['export', without ?? ''] });
    expect(JSON.parse(exported.stdout).left_out).toEqual(['usage_counts']);

    const target = await makeNewInstance();
    try {
      await cp(join(instance.dataDir, 'master.key'), join(target.dataDir, 'master.key'));
      const importOf = (path = '', withModules: NodeJS.ProcessEnv = {}) =>
        run('cli.js', target, { env: withModules, args: ['import', path] });
      expect(await importOf(file)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('with modules that are not loaded here (Usage)'),
      });
      expect(await importOf(without, env())).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('without some of the MODULES here'),
      });
      const { stdout } = await importOf(file, env());
      expect(JSON.parse(stdout).rows).toEqual(rows);
    } finally {
      await target.destroy();
    }
  });

  it('has its settings checked together with all others', async () => {
    const wrong = { ...env(), PORT: 'x', USAGE_TOTAL_IS_OPEN: 'geheim' };

    expect(await run('main.js', instance, { env: wrong })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'sealpush: Wrong settings. PORT: must be a whole number from 0 to 65535; ' +
        'USAGE_TOTAL_IS_OPEN: must be true or false\n',
    });
  });
});
