import { randomBytes } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Push } from '../../src/pushes/push/push.entity.js';
import { digestOf } from '../../src/platform/random/random.js';
import { clientEncryptedPush } from '../support/age-files.js';
import { command } from '../support/command.js';
import { copyOfVersion } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import type { Instance } from '../support/instance.js';
import { makeNewInstance } from '../support/instance.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

interface Encrypted {
  urlToken: string;
  payload: string;
  proof: string;
}

/** It hashed proofs by argon2id (decision 93), and encrypted this push by the first vector. */
const BEFORE = '3.0.0';

const PASSPHRASE_SALT = 16;
const PROOF_SALT = 32;

describe('Pushes that their clients have encrypted, of before proofs were keys and of now', () => {
  const folder = forEachTest(makeFolder);
  let instance: Instance;
  let before: Encrypted;
  let now: Encrypted;

  beforeEach(async () => {
    const copy = await copyOfVersion(BEFORE);
    instance = await forThisTest(Promise.resolve(copy.instance));
    const vectors = JSON.parse(await readFile('test/end-to-end/vectors.json', 'utf8')) as {
      pushes: Encrypted[];
    };
    const [vector] = vectors.pushes;
    if (!vector) throw new Error('There is no vector.');
    before = { ...vector, urlToken: copy.made.pushes.clientEncrypted };
    const { passphrase, ...fields } = clientEncryptedPush();
    await inService(instance, async ({ anonymous }) => {
      const { url_token: urlToken } = await anonymous.push({ ...fields, passphrase });
      now = { urlToken: urlToken as string, payload: fields.payload, proof: passphrase };
    });
  });

  async function inService(instance: Instance, work: (running: RunningApp) => Promise<void>): Promise<void> {
    const running = await forThisTest(startApp({}, { instance }));
    await work(running);
    await running.stop();
  }

  /** And only with their proofs, of which one that is wrong uses up nothing. */
  const expectToOpen = (instance: Instance) =>
    inService(instance, async ({ anonymous, dataSource }) => {
      for (const [{ urlToken, payload, proof }, saltBytes] of [
        [before, PASSPHRASE_SALT],
        [now, PROOF_SALT],
      ] as const) {
        const row = () => dataSource.manager.findOneByOrFail(Push, { tokenDigest: digestOf(urlToken) });
        const { viewsCounted, passphraseSalt } = await row();
        const wrong = await anonymous.retrieve(urlToken, randomBytes(32).toString('base64url'));
        const right = await anonymous.retrieve(urlToken, proof);

        expect(passphraseSalt).toHaveLength(saltBytes);
        expect([wrong.status, right.status, right.body.payload]).toEqual([401, 200, payload]);
        expect((await row()).viewsCounted).toBe(viewsCounted + 1);
      }
    });

  /** A new key in front of the one that everything is sealed with, and then alone. */
  async function rotate(instance: Instance): Promise<void> {
    const oldKey = (await readFile(join(instance.dataDir, 'master.key'), 'utf8')).trim();
    const newKey = randomBytes(32).toString('base64');
    instance.env.MASTER_KEYS = `${newKey},${oldKey}`;
    const { code, stdout } = await command(instance, ['keys:rotate']);
    const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

    expect([code, result]).toEqual([0, expect.objectContaining({ broken: 0, needed: [] })]);
    instance.env.MASTER_KEYS = newKey;
  }

  async function moved(source: Instance): Promise<Instance> {
    const target = await forThisTest(makeNewInstance());
    await cp(join(source.dataDir, 'files'), join(target.dataDir, 'files'), { recursive: true });
    await cp(join(source.dataDir, 'master.key'), join(target.dataDir, 'master.key'));
    const file = join(folder.path, 'export');
    for (const [instance, ...args] of [
      [source, 'export', file],
      [target, 'import', file],
    ] as const)
      expect((await command(instance, args)).code).toBe(0);
    return target;
  }

  it('open after keys:rotate, without the old key (J2)', async () => {
    await expectToOpen(instance);
    await rotate(instance);
    await expectToOpen(instance);
  });

  it('open after an export and an import, and after keys:rotate there', async () => {
    const target = await moved(instance);
    await expectToOpen(target);
    await rotate(target);
    await expectToOpen(target);
  });
});
