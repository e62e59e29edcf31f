import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Programs that need root, and one that shows what the command would get. */
const PROGRAMS = {
  id: 'echo 0',
  chown: ':',
  install: 'shift 4; exec cp "$@"',
  runuser:
    'shift 3; exec env -u NODE_COMPILE_CACHE NAMES="$*" "$(dirname "$0")/node" -p "JSON.stringify(process.env)"',
  node: `exec '${process.execPath}' "$@"`,
};

describe('deploy/systemd/sealpush-admin', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sealpush-admin-'));
    for (const folder of ['bin', 'run', 'etc/credentials'])
      await mkdir(join(root, folder), { recursive: true });
    for (const [name, script] of Object.entries(PROGRAMS)) {
      await writeFile(join(root, 'bin', name), `#!/bin/sh\n${script}\n`);
      await chmod(join(root, 'bin', name), 0o755);
    }
    const script = await readFile('deploy/systemd/sealpush-admin', 'utf8');
    await writeFile(
      join(root, 'sealpush-admin'),
      script
        .replaceAll('/opt/sealpush', process.cwd())
        .replaceAll('/etc/sealpush', join(root, 'etc'))
        .replaceAll('/run/', `${root}/run/`),
    );
    await writeFile(join(root, 'etc/credentials/master_keys'), 'key');
  });
  afterEach(() => rm(root, { recursive: true }));

  /** The environment that a command gets. */
  const run = async (env: Record<string, string> = {}): Promise<Record<string, string>> => {
    const PATH = `${join(root, 'bin')}:${process.env.PATH}`;
    const { stdout } = await promisify(execFile)('sh', [join(root, 'sealpush-admin'), 'user:list'], {
      env: { PATH, ...env },
    });
    return JSON.parse(stdout);
  };

  it('gives a command the settings as systemd reads them, and the credentials', async () => {
    await writeFile(
      join(root, 'etc/sealpush.env'),
      `BRAND_COLOR=#0b5cad\nFOOTER_TEXT=Team #1\nOPERATOR_NAME='Example # Ltd'\n# PORT=1\nDATA_DIR=/srv\n`,
    );
    const environment = await run();

    expect(environment).toMatchObject({
      BRAND_COLOR: '#0b5cad',
      FOOTER_TEXT: 'Team #1',
      OPERATOR_NAME: 'Example # Ltd',
      DATA_DIR: '/srv',
      NODE_ENV: 'production',
      NAMES: `node ${process.cwd()}/dist/cli.js user:list`,
    });
    expect(environment.PORT).toBeUndefined();
    expect(environment.MASTER_KEYS_FILE).toMatch(`${root}/run/sealpush-admin.`);
    expect(await readdir(join(root, 'run'))).toEqual([]);
  });

  it('works without a file of settings, and prefers what its caller sets', async () => {
    expect(await run()).toMatchObject({ DATA_DIR: '/var/lib/sealpush' });

    await writeFile(join(root, 'etc/sealpush.env'), 'DATABASE_URL=mysql://old/x\n');
    expect(await run({ DATABASE_URL: 'mysql://new/x' })).toMatchObject({ DATABASE_URL: 'mysql://new/x' });
  });
});
