import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { linkOf, Sealpush } from './support/sealpush.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('The executable', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());
  const built = forAllTests(async () => {
    const folder = await makeFolder();
    const path = join(folder.path, 'sealpush');
    await promisify(execFile)(process.execPath, ['packages/client/build-executable.mjs', path]);
    return { ...folder, executable: path };
  });
  const sealpush = () => new Sealpush(running, owner, built, [built.executable]);

  it('sends and opens secrets without Node.js', async () => {
    const pushed = await sealpush().run(['push', '--views', '1'], 'correct horse', { PATH: built.path });
    const opened = await sealpush().run(['open'], linkOf(pushed), { PATH: built.path });

    expect(statSync(built.executable).mode & 0o777).toBe(0o755);
    expect([pushed.code, pushed.stderr]).toEqual([0, '']);
    expect(opened.stdout.toString()).toBe('correct horse');
    expect((await sealpush().run(['open', linkOf(pushed)])).code).toBe(4);
  });

  it('serves MCP', async () => {
    const { code, stdout } = await sealpush().run(['mcp'], `${JSON.stringify(INITIALIZE)}\n`);

    expect(code).toBe(0);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      id: 1,
      result: { serverInfo: { name: 'sealpush' } },
    });
  });
});
