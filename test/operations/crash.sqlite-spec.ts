import { once } from 'node:events';
import type { Instance } from '../support/instance.js';
import { makeInstance } from '../support/instance.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';

/** Fails in native code, as V8 does when one of its own checks fails. */
const CRASH_ON_SIGNAL = `
  import { setFlagsFromString } from 'node:v8';
  setFlagsFromString('--allow-natives-syntax');
  process.on('SIGWINCH', () => new Function('%AbortJS("crash")')());`;

describe('A process that crashes in native code', () => {
  let instance: Instance;
  let server: SpawnedServer;

  beforeEach(async () => {
    instance = await makeInstance();
    server = await spawnServer(instance, {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(CRASH_ON_SIGNAL)}`,
    });
  });
  afterEach(async () => {
    await server.stop('SIGKILL');
    await instance.destroy();
  });

  it('ends, so that it is started again, instead of hanging in a handler of the signal', async () => {
    const exit = once(server.process, 'exit');
    server.process.kill('SIGWINCH');

    expect(await exit).toEqual([null, expect.stringMatching(/^SIG(TRAP|ILL|ABRT)$/)]);
  });
});
