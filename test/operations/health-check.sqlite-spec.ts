import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allAddresses } from '../../src/platform/settings/networks.js';
import { forEachTest } from '../support/for-tests.js';
import { freePort } from '../support/free-port.js';
import { makeInstance } from '../support/instance.js';
import { run } from '../support/run.js';
import { spawnServer } from '../support/spawn-server.js';

describe('The health check of the image', () => {
  const instance = forEachTest(makeInstance);

  const check = (env: NodeJS.ProcessEnv) => run('health-check.js', instance, { env });
  const expectHealthy = async (env: NodeJS.ProcessEnv) => {
    const server = await spawnServer(instance, env);
    const healthy = await check(env);
    await server.stop();

    expect(healthy).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await check(env)).code).toBe(1);
  };

  it.each(['127.0.0.2', 'localhost', allAddresses()])(
    'queries the server on its address, and fails without it: HOST=%s',
    async (HOST) => {
      await expectHealthy({ HOST, PORT: String(await freePort()) });
    },
  );

  it('asks no proxy, also where Node.js uses one for all requests', async () => {
    const proxy = `http://127.0.0.1:${await freePort()}`;

    await expectHealthy({
      ...{ HOST: '127.0.0.1', PORT: String(await freePort()) },
      ...{ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
    });
  });

  it('reads settings from files too', async () => {
    const file = join(instance.dataDir, 'port');
    await writeFile(file, `${await freePort()}\n`);

    await expectHealthy({ HOST: '0.0.0.0', PORT: undefined, PORT_FILE: file });
  });

  it('needs none of the modules that settings are about', async () => {
    const texts = join(instance.dataDir, 'texts.json');
    await writeFile(texts, JSON.stringify({ en: { 'usage.title': 'Beds' } })); // a text of a module

    const { stderr } = await check({ PORT: String(await freePort()), TEXTS_FILE: texts });
    expect(stderr).toMatch(/ECONNREFUSED/);
  });

  it('loads the settings and not the service, because it runs every ten seconds', async () => {
    const script =
      "require('./dist/platform/settings/current-settings.js'); console.log(Object.keys(require.cache).join('\\n'))";
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);

    expect(stdout).toContain('/settings.js');
    expect(stdout).not.toMatch(/node_modules.(?:@nestjs|rxjs|typeorm|class-validator)/);
  });

  it('fails with the reason when the settings are wrong', async () => {
    expect(await check({ PORT: 'tulip' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PORT: must be a whole number from 0 to 65535'),
    });
  });
});
