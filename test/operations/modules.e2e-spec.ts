import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '../support/client.js';
import { blockOf } from '../support/documents.js';
import { eventually } from '../support/eventually.js';
import { makeFolder } from '../support/folder.js';
import { makeNewInstance } from '../support/instance.js';
import { startMailServer } from '../support/mail-server.js';
import { PASSWORD, PageClient } from '../support/page-client.js';
import { run } from '../support/run.js';
import { spawnServer } from '../support/spawn-server.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';

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
  const folder = forAllTests(makeFolder);
  let project: string;

  beforeAll(async () => {
    project = await buildExample(folder.path);
    for (const name of ['@nestjs/common', 'preact', 'typeorm']) await installCopy(project, name);
    await writeFile(textsFile(), JSON.stringify({ fr: { 'usage.title': 'Utilisation' } }));
  }, 300_000); // it compiles the module
  const mailServer = forAllTests(startMailServer);
  const instance = forAllTests(makeNewInstance);
  const server = forAllTests(() => spawnServer(instance, env()));

  const textsFile = () => join(folder.path, 'texts.json');
  const env = () => ({
    MODULES: join(project, 'dist/usage.module.js'),
    USAGE_TOTAL_IS_OPEN: 'yes',
    TEXTS_FILE: textsFile(),
    ...mailServer.env,
  });
  const command = async (args: string[], input = '') => {
    const { stdout } = await run('cli.js', instance, { env: env(), args, input });
    return JSON.parse(stdout);
  };
  const newUser = async (...options: string[]) => {
    const email = `${randomUUID()}@example.org`;
    const { token } = await command(['user:create', '--password-stdin', ...options, email], PASSWORD);
    const pages = new PageClient(server.url);
    await pages.signIn(email);
    return { email, pages, client: new Client(server.url, { Authorization: `Bearer ${token}` }) };
  };
  const total = async () => (await server.anonymous.get('/api/usage/total')).body;

  it('has routes that need a token unless opened, a table, a setting, a job, a listener and a hook for deleted accounts (C2)', async () => {
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
    await eventually(async () => (await total()).pushes === 1);
    await command(['user:delete', bob.email]);
    await eventually(async () => (await total()).pushes === 0);
    expect(await total()).toEqual({ pushes: 0, deletedAccounts: 1 });
  });

  it('has a page in the menu, in each of its languages, for which the operator may have sentences of their own', async () => {
    const { email, pages } = await newUser();
    const pageIn = async (language: string) => {
      const client = new Client(server.url, { Cookie: pages.cookies, 'Accept-Language': language });
      return (await client.get('/usage')).body;
    };

    expect((await pages.get('/pushes')).body).toContain('<a href="/usage">Usage</a>');
    expect(await pageIn('en')).toMatch(/<title>Usage · [^]+You have created nothing so far\./);
    expect(await pageIn('de')).toMatch(/<title>Nutzung · [^]+Sie haben bisher nichts erstellt\./);
    expect(await pageIn('de')).toContain(`<button class="btn">An ${email} senden</button>`);
    expect(await pageIn('fr')).toMatch(/<title>Utilisation · [^]+You have created nothing so far\./);

    const visitor = new PageClient(server.url);
    const signIn = (await visitor.get('/usage')).headers.get('Location') ?? '';
    expect((await visitor.get(signIn)).body).toContain('<input type="hidden" name="next" value="/usage"/>');
  });

  it('has a form that is rejected with a reason in the language of the page, a mail, and what administrators see of it', async () => {
    const { email, pages, client } = await newUser('--administrator');
    const rejected = await pages.post('/usage/send', {}, { 'Accept-Language': 'de' });
    expect([rejected.status, rejected.body]).toEqual([
      422,
      expect.stringContaining('Es gibt noch nichts zu senden.'),
    ]);

    await client.push({ payload: 'tulip' });
    await eventually(async () => (await client.get('/api/usage')).body.pushes === 1);
    expect((await pages.post('/usage/send')).headers.get('Location')).toBe('/usage?done=send');
    expect((await pages.get('/usage?done=send')).body).toContain('The mail is on its way.');
    const mails = () => mailServer.received.filter(({ recipients }) => recipients.includes(email));
    await eventually(() => mails().length > 0);
    const [mail] = mails();
    expect([mail?.subject, mail?.text]).toEqual([
      'Usage',
      expect.stringMatching(/^You have created 1 push so far\.\n/),
    ]);
    expect((await pages.get('/admin')).body).toContain('Usage: adding up');
    expect((await pages.get('/admin/audit?kind=usage_mailed')).body).toMatch(
      /<th[^>]*><span[^>]*><span[^>]*>Sent the usage to an account</,
    );
  });

  it('has its table exported and imported, or named as left out where the module is not loaded', async () => {
    const [file, without] = ['with', 'without'].map((name) => join(instance.dataDir, `${name}.export`));
    const { client } = await newUser();
    await client.push({ payload: 'tulip' });
    await eventually(async () => (await client.get('/api/usage')).body.pushes === 1);
    const { rows, left_out } = await command(['export', file ?? '']);
    expect([rows.usage_counts > 0, left_out]).toEqual([true, undefined]);
    const exported = await run('cli.js', instance, { args: ['export', without ?? ''] });
    expect(JSON.parse(exported.stdout).left_out).toEqual(['usage_counts']);

    const target = await forThisTest(makeNewInstance());
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
