import { Readable } from 'node:stream';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { OrphanSweep } from '../../src/files/orphan-sweep.js';
import { S3FileStore } from '../../src/files/s3-file-store.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { startApp } from '../support/start-app.js';
import { startS3 } from '../support/stores.js';

const KEYS = Array.from('0123', (digit) => digit.repeat(48));
const FOLDERS = [undefined, 'team', 'team/a', 'team2'];

describe('A bucket with several folders', () => {
  const store = forEachTest(startS3);

  const inFolder = (prefix: string | undefined) =>
    new S3FileStore({
      endpoint: store.env.S3_ENDPOINT,
      bucket: store.env.S3_BUCKET ?? '',
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      prefix,
    });
  const keysIn = async (prefix: string | undefined) =>
    (await Readable.from(inFolder(prefix).list()).toArray()).map(({ key }: { key: string }) => key);

  it('has a store in each, which lists, reads and removes only its own files', async () => {
    for (const [index, folder] of FOLDERS.entries())
      await inFolder(folder).put(KEYS[index] ?? '', Readable.from([Buffer.from(`tulip ${index}`)]));

    for (const [index, folder] of FOLDERS.entries())
      expect([folder, await keysIn(folder)]).toEqual([folder, [KEYS[index]]]);
    await expect(inFolder('team').read(KEYS[0] ?? '', { start: 0, end: 0 })).rejects.toThrow();
    await inFolder('team').remove(KEYS[0] ?? '');
    await inFolder(undefined).remove(KEYS[1] ?? '');
    expect(await keysIn(undefined)).toEqual([KEYS[0]]);
    expect(await keysIn('team')).toEqual([KEYS[1]]);
    const read = await inFolder('team/a').read(KEYS[2] ?? '', { start: 0, end: 6 });
    expect(Buffer.concat((await read.toArray()) as Buffer[]).toString()).toBe('tulip 2');
  });

  it('serves an installation, whose sweep leaves the files of others alone', async () => {
    await inFolder('team2').put(KEYS[3] ?? '', Readable.from([Buffer.from('of others')]));
    await inFolder(undefined).put(KEYS[0] ?? '', Readable.from([Buffer.from('of others')]));
    const instance = await forThisTest(makeInstance());
    const env = {
      ...store.env,
      S3_PREFIX: 'team',
      S3_PATH_STYLE: 'true',
      FILES_REQUIRE_AUTHENTICATION: 'false',
    };
    const running = await forThisTest(startApp(env, { instance }));
    const { url_token } = await running.anonymous.push({
      files: [{ filename: 'a.txt', content: Buffer.from('tulips').toString('base64') }],
    });
    const sweep = (days: number) => running.app.get(OrphanSweep).sweep(new Date(Date.now() + days * DAY_MS));
    const [first, second] = [await sweep(1), await sweep(3)];
    const { body } = await running.anonymous.retrieve(url_token);
    const content = await (await fetch(body.files[0].url)).text();

    expect([first, second]).toEqual(Array(2).fill({ files: 1, unknown: 0, removed: 0 }));
    expect(content).toBe('tulips');
    expect(await keysIn('team')).toHaveLength(1);
    expect(await keysIn('team2')).toEqual([KEYS[3]]);
    expect(await keysIn(undefined)).toEqual([KEYS[0]]);
  });
});
