import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { CHILD_ENV } from '../support/child-env.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { forEachTest } from '../support/for-tests.js';
import { freePort } from '../support/free-port.js';
import { makeInstance } from '../support/instance.js';

describe('A server whose log cannot be written', () => {
  // before its instance is destroyed
  afterEach(() => {
    server.kill('SIGKILL');
  });
  const instance = forEachTest(makeInstance);
  let server: ChildProcess;
  let client: Client;

  /** Waits until it serves. */
  const start = async (stdout: number | 'pipe') => {
    const PORT = String(await freePort());
    client = new Client(`http://127.0.0.1:${PORT}`);
    const env = { ...CHILD_ENV, HOST: '127.0.0.1', PORT, REQUESTS_PER_MINUTE: '0', ...instance.env };
    server = spawn(process.execPath, ['dist/main.js'], { env, stdio: ['ignore', stdout, 'inherit'] });
    await eventually(() => isUp());
  };
  const isUp = () =>
    client.get('/up').then(
      ({ status }) => status === 200,
      () => false,
    );
  const stop = async () => {
    const exit = once(server, 'exit');
    server.kill('SIGTERM');
    return exit;
  };

  it('because the disk is full serves, and stops when it is asked to', async () => {
    const full = openSync('/dev/full', 'w');
    await start(full);
    closeSync(full);
    for (let i = 0; i < 20; i++) await client.push({ payload: 'tulip' });

    expect(await stop()).toEqual([0, null]);
  });

  it('because nobody reads it any more serves, and stops when it is asked to', async () => {
    await start('pipe');
    server.stdout?.destroy();
    for (let i = 0; i < 20; i++) await client.push({ payload: 'tulip' });

    expect(await stop()).toEqual([0, null]);
  });

  it('because its reader hangs serves, and stops when it is asked to', async () => {
    await start('pipe');
    for (let i = 0; i < 1000; i++) await client.get('/api/v2/version'); // more lines than fit into a pipe

    expect(await stop()).toEqual([0, null]);
  });
});
