import { once } from 'node:events';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';

describe('A process that crashes', () => {
  const instance = forEachTest(makeInstance);
  let server: SpawnedServer;

  /** Starts a process that runs code on SIGWINCH. */
  const start = async (code: string) => {
    const module = `import { setFlagsFromString } from 'node:v8'; process.on('SIGWINCH', () => { ${code} });`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(module)}`;
    server = await forThisTest(spawnServer(instance, { SECRET: 'geheim', NODE_OPTIONS }));
  };
  const crash = async () => {
    const exit = once(server.process, 'close');
    server.process.kill('SIGWINCH');
    return exit;
  };

  it('in native code ends, so that it is started again, instead of hanging in a handler of the signal', async () => {
    // as V8 does when one of its own checks fails
    await start(`setFlagsFromString('--allow-natives-syntax'); new Function('%AbortJS("crash")')();`);

    expect(await crash()).toEqual([null, expect.stringMatching(/^SIG(TRAP|ILL|ABRT)$/)]);
  });

  it.each(['throw', 'void Promise.reject'])(
    'by an error (%s) logs only its stack, and exits with 1 (H1)',
    async (fail) => {
      await start(`${fail} (Object.assign(new Error('Crashed'), { parameters: [process.env.SECRET] }));`);
      let stderr = '';
      server.process.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));

      expect(await crash()).toEqual([1, null]);
      expect(stderr).toBe('');
      expect(server.output()).not.toContain('geheim');
      expect(server.logLines().at(-1)).toMatchObject({
        level: 'error',
        msg: 'An error was not caught, so the process exits',
        stack: expect.stringMatching(/^Error: Crashed\n +at /),
      });
    },
  );
});
