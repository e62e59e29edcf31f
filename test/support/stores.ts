import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engine } from './engine.js';
import type { Instance } from './instance.js';

/** A file store for a server, with direct access to the stored files. */
export interface TestStore {
  /** The environment variables that make a server use it. */
  env: Record<string, string>;
  /** The paths of the encrypted files, including those of incomplete uploads. */
  paths(): Promise<string[]>;
  /** The path of what names the installation that it belongs to; none when nothing does. */
  idPaths(): Promise<string[]>;
  /** Kills its process, and starts another; a folder has none. */
  restart?(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a separate store for the servers of one instance. */
export type StartStore = (instance: Instance) => Promise<TestStore>;

/** Every kind of store, for `describe.each`; on a database server only one, since stores know nothing of databases. */
export const STORES: [name: string, start: StartStore][] = [
  ['disk', startDisk],
  ...(engine.url === undefined ? [['S3', startS3] as [string, StartStore]] : []),
];

export function startDisk({ dataDir }: Instance): Promise<TestStore> {
  return Promise.resolve({
    env: {},
    paths: () => pathsIn(join(dataDir, 'files'), /^[0-9a-f]{48}$/),
    idPaths: () => pathsIn(join(dataDir, 'files'), /^sealpush-installation-id$/),
    stop: () => Promise.resolve(),
  });
}

/** A process that speaks S3's protocol, with an empty bucket. */
export async function startS3(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-s3-'));
  const bucket = `bucket-${randomUUID()}`;
  let server = await startS3Process(folder, bucket);
  const { port } = server;
  return {
    env: {
      FILE_STORAGE: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    // objects, and the parts of incomplete uploads
    paths: () => pathsIn(folder, /^([0-9a-f]{48}\._S3rver_object|\d+)$/),
    idPaths: () => pathsIn(folder, /^sealpush-installation-id\._S3rver_object$/),
    restart: async () => {
      await server.kill();
      server = await startS3Process(folder, bucket, port);
    },
    stop: async () => {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startS3Process(
  folder: string,
  bucket: string,
  atPort = '0',
): Promise<{ port: string; kill(): Promise<unknown> }> {
  const server = spawn(
    process.execPath,
    ['--no-deprecation', 'test/support/s3-server.js', folder, bucket, atPort],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exit = once(server, 'exit');
  let output = '';
  const port = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /listening on (\d+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    server.once('exit', (code) => {
      reject(new Error(`s3rver exited with ${code}: ${output}`));
    });
  });
  return {
    port,
    kill: () => {
      server.kill('SIGKILL');
      return exit;
    },
  };
}

async function pathsIn(folder: string, name: RegExp): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
