import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { allSettings } from '../../src/platform/settings/settings-classes.js';
import '../../src/platform/settings/settings.js';
import { blockOf, blocksOf } from '../support/documents.js';
import { findProgram } from '../support/find-program.js';
import { makeFolder } from '../support/folder.js';
import { forEachTest } from '../support/for-tests.js';

const UNIT = 'deploy/systemd/sealpush.service';
const BACKUP_UNITS = ['deploy/systemd/sealpush-backup.service', 'deploy/systemd/sealpush-backup.timer'];
const PAGE = 'docs/install/systemd.md';
/** Ten times the exposure of `systemd-analyze security`. Versions of systemd rate a little differently. */
const MAX_EXPOSURE = 20;

/** A start that waits in vain for a database. */
const MAX_FAILED_START_SECONDS = 30;

const systemdAnalyze = findProgram('systemd-analyze', `systemd accepts ${UNIT}`);

describe(UNIT, () => {
  let lines: [name: string, value: string][];

  beforeAll(async () => {
    lines = (await readFile(UNIT, 'utf8'))
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  });

  const all = (name: string) => lines.filter(([other]) => other === name).map(([, value]) => value);

  it('starts the service as `npm start` does', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));

    expect(all('ExecStart')).toEqual([scripts.start]);
  });

  it('waits longer for the end of the service than that can take', async () => {
    const [, milliseconds] = /MAX_STOP_MS = (\d+)/.exec(await readFile('src/serve.ts', 'utf8')) ?? [];

    expect(Number(all('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(Number(milliseconds));
  });

  it('gives up after as many starts as the documentation says, however long they take', async () => {
    const [, starts] = /systemd gives up after (\w+) starts/.exec(await readFile(PAGE, 'utf8')) ?? [];
    const [burst = 0, interval = 0, pause = 0] = [
      'StartLimitBurst',
      'StartLimitIntervalSec',
      'RestartSec',
    ].map((name) => Number(all(name)[0]));

    expect(['four', 'five', 'six'].indexOf(starts ?? '') + 4).toBe(burst);
    expect(burst * (pause + MAX_FAILED_START_SECONDS)).toBeLessThan(interval);
  });

  it('gives only settings that exist, and the master key as a credential', () => {
    const variables = all('Environment').flatMap((line) => line.split(' '));
    const names = variables.map((variable) => variable.split('=')[0]?.replace(/_FILE$/, ''));

    expect([...allSettings().keys(), 'NODE_ENV']).toEqual(expect.arrayContaining(names));
    expect(variables).toEqual(
      expect.arrayContaining(['DATA_DIR=%S/sealpush', 'MASTER_KEYS_FILE=%d/master_keys']),
    );
    expect(all('LoadCredential')).toEqual(['master_keys:/etc/sealpush/credentials/master_keys']);
    expect(all('StateDirectory')).toEqual(['sealpush']);
  });

  if (systemdAnalyze) {
    it.each([UNIT, ...BACKUP_UNITS])('is accepted by systemd: %s', (unit) => {
      const { status, stdout, stderr } = spawnSync(systemdAnalyze, ['verify', unit], { encoding: 'utf8' });

      expect([stdout, stderr].join('').match(/.*sealpush.*/g)).toBeNull();
      expect(status).toBe(0);
    });

    it('is exposed little, and does not compile code without the memory for that', () => {
      const { status, stdout } = spawnSync(
        systemdAnalyze,
        ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, UNIT],
        { encoding: 'utf8' },
      );

      expect([status, status === 0 ? '' : stdout]).toEqual([0, '']);
      expect(all('MemoryDenyWriteExecute')).toEqual([]);
    });
  }
});

describe(BACKUP_UNITS[0] ?? '', () => {
  const root = forEachTest(makeFolder);
  let folder: string;

  beforeEach(async () => {
    folder = join(root.path, 'backups');
    const old = new Date(Date.now() - 16 * 86_400_000);
    for (const name of ['sealpush-20260101T000000Z', 'sealpush-20260101T000000Z.files', 'other']) {
      await mkdir(join(folder, name), { recursive: true });
      await utimes(join(folder, name), old, old);
    }
  });

  /** Runs its commands in order, as systemd does, with this script in place of sealpush-admin. */
  async function run(admin: string): Promise<string[]> {
    const unit = await readFile(BACKUP_UNITS[0] ?? '', 'utf8');
    const commands = [...unit.matchAll(/^ExecStart=(.*)$/gm)].map(([, command = '']) => command);
    const script = commands.join('\n').replaceAll('%%', '%').replaceAll('/var/backups/sealpush', folder);
    await writeFile(join(root.path, 'sealpush-admin'), `#!/bin/sh\n${admin}\n`, { mode: 0o755 });
    spawnSync('sh', ['-ec', script], { env: { ...process.env, PATH: `${root.path}:${process.env.PATH}` } });
    return readdir(folder);
  }

  it('makes a backup, and then deletes those that are two weeks old, and nothing else', async () => {
    const left = await run('test "$1" = backup && touch "$2" && mkdir "$2.files"');

    expect(left).toContain('other');
    expect(left.filter((name) => /^sealpush-20\d{6}T\d{6}Z(\.files)?$/.test(name))).toHaveLength(2);
    expect(left.filter((name) => name.includes('20260101'))).toEqual([]);
  });

  it('deletes nothing when the backup fails', async () => {
    expect((await run('exit 1')).sort()).toEqual([
      'other',
      'sealpush-20260101T000000Z',
      'sealpush-20260101T000000Z.files',
    ]);
  });
});

describe(PAGE, () => {
  const root = forEachTest(makeFolder);

  /** Runs commands of the page below `root`, with programs that only say how they were called. */
  async function run(commands: string): Promise<string> {
    const below = commands
      .replaceAll(/(?<=[\s"])\/(?=(?:opt|etc|usr|var)\/)/g, `${root.path}/`)
      .replaceAll('chown -R root:root', ': chown'); // the test may run as another user
    const bin = join(root.path, 'bin');
    await mkdir(bin, { recursive: true });
    for (const name of ['systemctl', 'systemd-sysusers', 'journalctl', 'userdel']) {
      await writeFile(join(bin, name), `#!/bin/sh\necho ${name} "$@"\n`);
      await chmod(join(bin, name), 0o755);
    }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', below], {
      cwd: join(root.path, 'built'),
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    });
    return stdout;
  }

  async function makeBuilt(): Promise<void> {
    for (const path of [
      'package.json',
      'openapi.json',
      'docs/api.md',
      'deploy/systemd/sealpush.service',
      'deploy/systemd/sealpush.sysusers',
      'deploy/systemd/sealpush-admin',
    ]) {
      await mkdir(dirname(join(root.path, 'built', path)), { recursive: true });
      await writeFile(join(root.path, 'built', path), await readFile(path));
    }
    for (const path of ['dist/main.js', 'node_modules/uuid/index.js']) {
      await mkdir(dirname(join(root.path, 'built', path)), { recursive: true });
      await writeFile(join(root.path, 'built', path), '');
    }
  }

  it('installs all that the image has, with a key that only root can read, and removes it again', async () => {
    const modeOf = async (path: string) => (await stat(join(root.path, path))).mode & 0o777;
    const copied = [...(await readFile('Dockerfile', 'utf8')).matchAll(/^COPY (?:--from=\w+ )?(.+) (\S+)$/gm)]
      .map(([, , to = '']) => to.replace(/^\.\/$/, 'package.json'))
      .filter((to) => ['node_modules', 'dist', 'package.json', 'docs/api.md'].includes(to));
    await makeBuilt();

    for (const block of blocksOf(PAGE, 'sh', 'Install')) await run(block);

    for (const path of [...copied, 'openapi.json', 'dist/main.js']) {
      expect([path, existsSync(join(root.path, 'opt/sealpush', path))]).toEqual([path, true]);
    }
    const key = await readFile(join(root.path, 'etc/sealpush/credentials/master_keys'), 'utf8');
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(await modeOf('etc/sealpush/credentials')).toBe(0o700);
    expect(await modeOf('etc/sealpush/credentials/master_keys')).toBe(0o600);
    expect(await modeOf('usr/local/sbin/sealpush-admin')).toBe(0o755);
    expect(await readFile(join(root.path, 'etc/systemd/system/sealpush.service'), 'utf8')).toBe(
      await readFile(UNIT, 'utf8'),
    );

    await mkdir(join(root.path, 'var/lib/sealpush'), { recursive: true });
    expect(await run(blockOf(PAGE, 'sh', 'Uninstall', 'systemctl disable'))).toContain('userdel sealpush');
    const left = await readdir(root.path, { recursive: true });
    expect(left.filter((path) => !path.startsWith('built') && /sealpush/.test(path))).toEqual([]);
  });

  it('replaces the program, but never the master key, in an upgrade', async () => {
    await makeBuilt();
    const [program = '', key = ''] = blocksOf(PAGE, 'sh', 'Install');
    await run(program);
    await run(key);
    const before = await readFile(join(root.path, 'etc/sealpush/credentials/master_keys'), 'utf8');
    await writeFile(join(root.path, 'built/package.json'), '{"version":"3.0.1"}');

    await run(program);

    expect(await readFile(join(root.path, 'opt/sealpush/package.json'), 'utf8')).toContain('3.0.1');
    expect(existsSync(join(root.path, 'opt/sealpush-3.0.1/dist/main.js'))).toBe(true);
    expect(await readFile(join(root.path, 'etc/sealpush/credentials/master_keys'), 'utf8')).toBe(before);
  });
});

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
  const root = forEachTest(makeFolder);

  beforeEach(async () => {
    for (const folder of ['bin', 'run', 'etc/credentials'])
      await mkdir(join(root.path, folder), { recursive: true });
    for (const [name, script] of Object.entries(PROGRAMS)) {
      await writeFile(join(root.path, 'bin', name), `#!/bin/sh\n${script}\n`);
      await chmod(join(root.path, 'bin', name), 0o755);
    }
    const script = await readFile('deploy/systemd/sealpush-admin', 'utf8');
    await writeFile(
      join(root.path, 'sealpush-admin'),
      script
        .replaceAll('/opt/sealpush', process.cwd())
        .replaceAll('/etc/sealpush', join(root.path, 'etc'))
        .replaceAll('/run/', `${root.path}/run/`),
    );
    await writeFile(join(root.path, 'etc/credentials/master_keys'), 'key');
  });

  /** The environment that a command gets. */
  const run = async (env: Record<string, string> = {}): Promise<Record<string, string>> => {
    const PATH = `${join(root.path, 'bin')}:${process.env.PATH}`;
    const { stdout } = await promisify(execFile)('sh', [join(root.path, 'sealpush-admin'), 'user:list'], {
      env: { PATH, ...env },
    });
    return JSON.parse(stdout);
  };

  it('gives a command the settings as systemd reads them, and the credentials', async () => {
    await writeFile(
      join(root.path, 'etc/sealpush.env'),
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
    expect(environment.MASTER_KEYS_FILE).toMatch(`${root.path}/run/sealpush-admin.`);
    expect(await readdir(join(root.path, 'run'))).toEqual([]);
  });

  it('works without a file of settings, and prefers what its caller sets', async () => {
    expect(await run()).toMatchObject({ DATA_DIR: '/var/lib/sealpush' });

    await writeFile(join(root.path, 'etc/sealpush.env'), 'DATABASE_URL=mysql://old/x\n');
    expect(await run({ DATABASE_URL: 'mysql://new/x' })).toMatchObject({ DATABASE_URL: 'mysql://new/x' });
  });
});
