import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CHILD_ENV } from '../../../test/support/child-env.js';
import { command } from '../../../test/support/command.js';
import { eventually } from '../../../test/support/eventually.js';
import { download } from '../../../test/support/files.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { makeInstance } from '../../../test/support/instance.js';
import type { PasswordPusher } from '../../../test/support/passwordpusher.js';
import { makePasswordPusher } from '../../../test/support/passwordpusher.js';
import { spawnServer } from '../../../test/support/spawn-server.js';
import { startApp } from '../../../test/support/start-app.js';
import { startS3 } from '../../../test/support/stores.js';

describe('The process of an import from PasswordPusher', () => {
  const source = forEachTest(makePasswordPusher);
  const instance = forEachTest(makeInstance);

  /** What is secret in the source, in clear. */
  const markers = () => {
    const { users, pushes, key, old_key } = source.expected;
    const [alice] = users;
    const of = (name: string) => source.push(name);
    return [
      ...[key, old_key, 'secret-key-base'],
      ...users.map(({ password }) => password),
      ...users.flatMap(({ token }) => token ?? []),
      ...[alice?.otp_secret ?? '', ...(alice?.backup_codes.slice(0, 2) ?? [])],
      ...[of('text').payload, of('text').note, of('passphrase').payload, of('passphrase').passphrase],
      ...[
        of('qr').payload,
        of('files').url_token,
        of('text').url_token,
        of('unicode, 100 kB').payload?.slice(0, 30),
      ],
      ...pushes.slice(-5).map(({ payload }) => payload),
    ].filter((marker): marker is string => typeof marker === 'string' && marker !== '');
  };

  it('writes nothing in clear: not to its output, the log, the data or temporary files, and shows no arguments', async () => {
    const temporary = join(source.folder, 'tmp');
    await mkdir(temporary);
    const secrets = markers();
    expect(secrets.length).toBeGreaterThanOrEqual(20);
    const [at, to] = [source.args.indexOf('--master-key-file'), source.args.length];
    const args = [
      ...source.args.slice(0, at),
      '--master-key',
      source.expected.key,
      ...source.args.slice(at + 2, to),
    ];
    const env = { ...CHILD_ENV, ...instance.env, TMPDIR: temporary };
    let output = '';
    let commandLine = '';
    const child = execFile(process.execPath, ['dist/cli.js', ...args], { env }, (_error, stdout, stderr) => {
      output = stdout + stderr;
    });
    await eventually(async () => {
      commandLine = await readFile(`/proc/${child.pid}/cmdline`, 'utf8').catch(() => 'over');
      return !commandLine.includes(source.expected.key);
    });
    await eventually(() => output !== '');
    expect(output).toContain('"active":311');

    const server = await spawnServer(instance, { LOG_LEVEL: 'debug' });
    const { url_token } = source.push('text');
    for (const path of [
      `/p/${url_token}`,
      `/p/${url_token}.json`,
      `/api/v2/pushes/${url_token}`,
      `/f/${url_token}`,
    ])
      await fetch(server.url + path);
    await server.stop();

    const places: Record<string, string> = { output, log: server.output(), commandLine };
    for (const folder of [instance.dataDir, temporary])
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
        if (entry.isFile())
          places[join(entry.parentPath, entry.name)] = await readFile(
            join(entry.parentPath, entry.name),
            'latin1',
          );
    const found = Object.entries(places).flatMap(([place, text]) =>
      secrets
        .filter((secret) => text.includes(secret) || text.includes(Buffer.from(secret).toString('latin1')))
        .map((secret) => [place, secret]),
    );
    expect(found).toEqual([]);
  });

  it('reads files from S3', async () => {
    const store = await startS3();
    const s3 = await bucketOf(source, store.env);
    const at = source.args.indexOf('--storage');
    const args = source.args.toSpliced(at, 2, ...s3);
    const { stdout } = await command(instance, args);
    await store.stop();

    expect(stdout).toMatch(
      /{"push":14,"file":"missing.txt","key":"[a-z0-9]{28}","missing":"a file is missing"}/,
    );
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ files: 4, bytes: 370_005 });
    const running = await forThisTest(startApp({}, { instance }));
    const { body } = await running.anonymous.retrieve(source.push('files').url_token);
    expect((await download(body.files[2].url)).bytes).toHaveLength(300_001);
  });
});

async function bucketOf(source: PasswordPusher, env: Record<string, string>): Promise<string[]> {
  const { S3_ENDPOINT = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '', S3_BUCKET = '' } = env;
  const credentials = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };
  const client = new S3Client({
    endpoint: S3_ENDPOINT,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
  });
  const paths = execFileSync('find', [source.storage, '-type', 'f']).toString().trim().split('\n');
  for (const path of paths) {
    const Key = path.split('/').at(-1) ?? '';
    await client.send(new PutObjectCommand({ Bucket: S3_BUCKET, Key, Body: await readFile(path) }));
  }
  client.destroy();
  return [
    ...['--s3-bucket', S3_BUCKET, '--s3-endpoint', S3_ENDPOINT],
    ...['--s3-access-key-id', S3_ACCESS_KEY_ID, '--s3-secret-access-key', S3_SECRET_ACCESS_KEY],
  ];
}
