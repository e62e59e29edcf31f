import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { CHILD_ENV } from '../../../test/support/child-env.js';
import { eventually } from '../../../test/support/eventually.js';
import { forEachTest } from '../../../test/support/for-tests.js';
import { makeInstance } from '../../../test/support/instance.js';
import { run } from '../../../test/support/run.js';
import { spawnServer } from '../../../test/support/spawn-server.js';

describe('The command line as a process', () => {
  const instance = forEachTest(makeInstance);

  it('prints its results and errors, and exits', async () => {
    const asProcess = (...args: string[]) => run('cli.js', instance, { args });
    const args = ['user:create', 'ada@example.org', '--password-stdin'];
    const made = await run('cli.js', instance, { args, input: 'correct horse\n' });

    expect([made.code, made.stderr, JSON.parse(made.stdout).email]).toEqual([0, '', 'ada@example.org']);
    expect(await asProcess('user:create', 'ada@example.org')).toMatchObject({ code: 1, stdout: '' });
    expect(await asProcess('user:remove')).toMatchObject({ code: 2, stdout: '' });
  });

  it('settings:check names variables that are ignored, and starts nothing', async () => {
    const env = { S3_VIRTUAL_HOST: 'geheim', DATA_DIR: '/nope' };

    expect(await run('cli.js', instance, { args: ['settings:check'], env })).toEqual({
      code: 0,
      stdout: '{"valid":true}\n',
      stderr:
        'sealpush: Ignored, because there are no settings of these names (docs/settings.md): S3_VIRTUAL_HOST\n',
    });
  });

  it('settings:check says what is sent without TLS, as a start does', async () => {
    const env = {
      ...{ MAIL_URL: 'smtp://robin:geheim@relay.internal:25', MAIL_FROM: 'push@example.org' },
      ...{ PUBLIC_URL: 'https://push.example.org', MAIL_TLS: 'opportunistic' },
    };
    const started = await spawnServer(instance, env);
    await started.stop();
    const warning =
      'MAIL_TLS is opportunistic: mails, and the password of MAIL_URL, go to smtp://relay.internal:25 ' +
      'without TLS if it offers none, and with any certificate.';

    expect(started.output()).toContain(warning);
    expect(started.output()).not.toContain('geheim');
    expect(await run('cli.js', instance, { args: ['settings:check'], env })).toMatchObject({
      ...{ code: 0, stdout: '{"valid":true}\n' },
      stderr: expect.stringContaining(`sealpush: ${warning}`),
    });
  });

  it('reports wrong settings in one line', async () => {
    const env = { DATABASE_URL: 'sqlite:///geheim' };

    expect(await run('cli.js', instance, { args: ['migration:run'], env })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'sealpush: Wrong settings. DATABASE_URL: must look like mysql://user:password@host:3306/database or postgresql://user:password@host:5432/database\n',
    });
  });

  it('has a lower priority than the service', async () => {
    const args = ['dist/cli.js', 'user:create', 'ada@example.org', '--password-stdin'];
    const child = spawn(process.execPath, args, {
      env: { ...CHILD_ENV, ...instance.env },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const exit = once(child, 'exit');
    await eventually(() => getPriority(child.pid) === constants.priority.PRIORITY_LOW); // while it waits for the password
    child.stdin.end('correct horse\n');

    expect(await exit).toEqual([0, null]);
  });
});
