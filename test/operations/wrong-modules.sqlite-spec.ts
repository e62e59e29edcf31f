import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { run } from '../support/run.js';
import { spawnServer } from '../support/spawn-server.js';

/** Without decorators, which only compiled code has. */
const controllerAt = (path: string) => `
  const { Controller, Get, Module } = require('@nestjs/common');
  class OneController { list() { return { found: 'tulip' }; } }
  Controller('${path}')(OneController);
  Get()(OneController.prototype, 'list', Object.getOwnPropertyDescriptor(OneController.prototype, 'list'));
`;

const moduleWith = (path: string) => `
  ${controllerAt(path)}
  class OneModule {}
  Module({ controllers: [OneController] })(OneModule);
`;

describe('MODULES', () => {
  const instance = forEachTest(makeInstance);

  const write = async (name: string, text: string) => {
    const path = join(instance.dataDir, 'modules', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  const errorOf = async (MODULES: string) => {
    const { code, stdout, stderr } = await run('main.js', instance, { env: { MODULES } });
    expect([code, stdout]).toEqual([1, '']);
    return stderr;
  };

  it('loads modules of either kind in each worker, by their default or the name module', async () => {
    const common = await write('common.js', `${moduleWith('one')} exports.module = OneModule;`);
    const esm = await write(
      'esm.mjs',
      `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
       ${moduleWith('two')} export default { module: OneModule };`,
    );
    const server = await forThisTest(spawnServer(instance, { MODULES: `${common}, ${esm}`, WORKERS: '2' }));
    const { status } = await server.anonymous.get('/one');
    expect([status, (await server.anonymous.get('/two')).status]).toEqual([401, 401]); // no decorator opens them
  });

  it('loads modules that have nothing but a class: their forRoot, which may be asynchronous, has the rest', async () => {
    const routes = await write(
      'routes.js',
      `${controllerAt('one')}
       class RoutesModule { static async forRoot() { return { module: RoutesModule, controllers: [OneController] }; } }
       Module({})(RoutesModule);
       exports.module = RoutesModule.forRoot();`,
    );
    const middleware = await write(
      'middleware.js',
      `class HeaderModule {
         configure(consumer) {
           consumer.apply((_, response, next) => { response.set('X-Found', 'tulip'); next(); }).forRoutes('*path');
         }
       }
       require('@nestjs/common').Module({})(HeaderModule);
       exports.default = HeaderModule;`,
    );
    const server = await forThisTest(spawnServer(instance, { MODULES: `${routes} ${middleware}` }));
    const { status, headers } = await server.anonymous.get('/one');
    expect([status, headers.get('X-Found')]).toEqual([401, 'tulip']);
  });

  it('has one copy of what modules share with the service, also for those of ES modules, and their texts in all workers', async () => {
    const pages = await write(
      'pages.mjs',
      `import { Get, Module } from '@nestjs/common';
       import { useState } from 'preact/hooks';
       import { jsx } from 'preact/jsx-runtime';
       import { declareTexts, Layout, PageController, PageResponse, PagesModule, PublicPage, useTexts } from 'sealpush';
       const TULIPS = declareTexts('tulips', { en: { title: 'Tulips' } });
       function Tulips() {
         const [count] = useState(3);
         return jsx(Layout, { title: useTexts().text(TULIPS.title), children: jsx('p', { children: count }) });
       }
       class TulipsController { show() { return new PageResponse(jsx(Tulips, {})); } }
       const { prototype } = TulipsController;
       for (const decorate of [Get('tulips'), PublicPage()])
         decorate(prototype, 'show', Object.getOwnPropertyDescriptor(prototype, 'show'));
       PageController()(TulipsController);
       export default class TulipsModule {}
       Module({ imports: [PagesModule], controllers: [TulipsController] })(TulipsModule);`,
    );
    const TEXTS_FILE = await write('texts.json', '{"en": {"tulips.title": "Red tulips"}}');
    const server = await forThisTest(spawnServer(instance, { MODULES: pages, TEXTS_FILE, WORKERS: '2' }));
    expect((await server.anonymous.get('/tulips')).body).toMatch(/<title>Red tulips · [^]+<p>3<\/p>/);
    expect(server.logLines()).toContainEqual(expect.objectContaining({ process: 'worker-1' }));
  });

  it('stops the start with one sentence about each wrong text of a module', async () => {
    const texts = "{ en: { one: 'One {n}', two: 'Two' }, de: { one: 'Eins', three: 'Drei' } }";
    const wrong = await write('wrong.js', `require('sealpush').declareTexts('garden', ${texts});`);

    expect(await errorOf(wrong)).toBe(
      `sealpush: Wrong settings. MODULES: ${wrong} cannot be loaded. ` +
        'The texts of garden: de, one: the text lacks the parameter n; de, three: there is no such text\n',
    );
  });

  it.each([
    ['./nothing.js', "Cannot find module './nothing.js'"],
    ['nothing', "Cannot find module 'nothing'"],
  ])('that names %s, which is not there, stops the start with one sentence', async (name, reason) => {
    expect(await errorOf(name)).toBe(
      `sealpush: Wrong settings. MODULES: ${name} cannot be loaded. ${reason}\n`,
    );
  });

  it('stops the start with one sentence when a file exports no module, or needs a package that is not there', async () => {
    const empty = await write('empty.js', 'exports.default = class { static forRoot() {} }.forRoot;');
    const needy = await write('needy.mjs', "import 'nothing-of-this-name';");

    expect(await errorOf(empty)).toBe(
      `sealpush: Wrong settings. MODULES: ${empty} must export a Nest module, as its default or with the name "module".\n`,
    );
    expect(await errorOf(needy)).toMatch(
      /^sealpush: Wrong settings\. MODULES: .+ cannot be loaded\. Cannot find package .+\n$/,
    );
  });

  it('stops the start where a file fails', async () => {
    const broken = await write('broken.js', '\n\nnull.x;');

    expect(await errorOf(broken)).toMatch(/cannot be loaded\. TypeError: [^]+broken\.js:3/);
  });

  it('that cannot be loaded are reported together with wrong settings, but not with names that may be theirs', async () => {
    const env = { MODULES: './one.js ./two.js', PORT: 'x', DISABLE_SIGNUP: 'true', USAGE_TOTAL: 'x' };
    const failure = {
      code: 1,
      stdout: '',
      stderr: `sealpush: Wrong settings. ${[
        'PORT: must be a whole number from 0 to 65535',
        "MODULES: ./one.js cannot be loaded. Cannot find module './one.js'",
        "MODULES: ./two.js cannot be loaded. Cannot find module './two.js'",
      ].join('; ')}\n`,
    };

    expect(await run('main.js', instance, { env })).toEqual(failure);
    expect(await run('cli.js', instance, { env, args: ['settings:check'] })).toEqual(failure);
  });

  it('cannot replace a route of the service, nor declare one of its settings (C2)', async () => {
    const route = await write('route.js', `${moduleWith('api/v2/version')} exports.default = OneModule;`);
    const setting = await write(
      'setting.js',
      "const { flag, Setting } = require('sealpush'); class Own {} Setting(flag)(Own.prototype, 'PORT');",
    );

    expect(await errorOf(route)).toMatch(
      /^sealpush: Duplicate route: GET \/api\/v2\/version is registered by both VersionController#describe and OneController#list\.\n$/,
    );
    expect(await errorOf(setting)).toContain('The setting PORT is declared twice.');
  });
});
