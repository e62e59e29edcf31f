import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { blockOf } from '../../../test/support/documents.js';
import { makeFolder } from '../../../test/support/folder.js';
import { forEachTest } from '../../../test/support/for-tests.js';
import { OperatorShell } from '../../../test/support/operator-shell.js';
import type { PasswordPusher } from '../../../test/support/passwordpusher.js';
import { makePasswordPusher } from '../../../test/support/passwordpusher.js';

/** Stand-ins for what needs root, the user `sealpush` and an installed program. */
const AS_ROOT = {
  install: 'shift 7; exec mkdir "$@"',
  chown: ':',
  'sealpush-admin': 'exec npm run -s cli -- "$@"',
};

describe('The commands in docs/moving-from-passwordpusher.md', () => {
  const root = forEachTest(makeFolder);
  const source = forEachTest(makePasswordPusher);

  it.each([
    ['npm', 'move_in() {'],
    ['systemd', 'install -d'],
  ])('import with %s, after a dry run', async (_, start) => {
    const inRoot = (name: string) => join(root.path, name);
    const shell = await OperatorShell.in(inRoot('sealpush'), { DATA_DIR: inRoot('data') }, AS_ROOT);
    await layOut(source, root.path, shell.folder);
    const script = blockOf('docs/moving-from-passwordpusher.md', 'sh', 'With systemd or npm', start)
      .replaceAll('/opt/PasswordPusher', inRoot('PasswordPusher'))
      .replaceAll('/var/lib/sealpush-import', inRoot('import'));
    // some pushes of this source are broken, or need an earlier key: exit code 1
    const output = await shell.run(script.replace(/^move_in(?! *\().*$/gm, '$& || test $? = 1'));
    const [dryRun, totals] = totalsIn(output);

    expect(dryRun).toMatchObject({ dry_run: true, accounts: { new: 4 } });
    expect(totals).toEqual({ ...dryRun, dry_run: undefined });
    expect(totals?.recovery_codes).toBeGreaterThan(0);
    expect(totals?.files).toBeGreaterThan(0);
  });
});

/** Puts data and keys where the page says that they are. */
async function layOut(source: PasswordPusher, root: string, folder: string): Promise<void> {
  const storage = join(root, 'PasswordPusher', 'storage');
  await cp(source.storage, storage, { recursive: true });
  await mkdir(join(storage, 'db'));
  await cp(join(source.folder, 'pwpush.sqlite3'), join(storage, 'db', 'production.sqlite3'));
  await mkdir(join(folder, 'secrets'));
  await cp(join(source.folder, 'key'), join(folder, 'secrets', 'pwpush_master_key'));
  await cp(join(source.folder, 'base'), join(folder, 'secrets', 'pwpush_secret_key_base'));
}

function totalsIn(output: string): Record<string, unknown>[] {
  const lines = output.split('\n').filter((line) => line.includes('"accounts"'));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
