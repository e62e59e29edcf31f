import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { Client } from '../../support/client.js';
import type { Instance } from '../../support/instance.js';
import type { SpawnedServer } from '../../support/spawn-server.js';
import { spawnServer } from '../../support/spawn-server.js';
import { Daemon, until } from '../../support/daemon.js';
import { blockOf } from '../../support/documents.js';
import { freePort } from '../../support/free-port.js';

const DOCUMENT = 'docs/operating/several-processes.md';
const EXAMPLE = 'An example: three processes, two database nodes, nginx';

export interface Nginx {
  url: string;
  stop: () => Promise<void>;
}

/** nginx in front of several processes: the file in deploy/proxies, without TLS, with the documented changes. */
export async function startNginx(folder: string, upstreams: string[]): Promise<Nginx> {
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  const log = join(folder, 'nginx.log');
  await writeFile(file, configuration(folder, port, upstreams));
  const daemon = new Daemon('nginx', ['-c', file, '-p', folder, '-e', log], log);
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/up`)).ok);
  return { url, stop: () => daemon.stop() };
}

function configuration(folder: string, port: number, upstreams: string[]): string {
  const documented = (start: string) => blockOf(DOCUMENT, 'nginx', EXAMPLE, start);
  const [upstream, retries] = [documented('upstream'), documented('proxy_next_upstream')];
  const lines = upstreams.map((url) => `  server ${new URL(url).host} max_fails=1 fail_timeout=5s;`);
  const file = readFileSync('deploy/proxies/nginx.conf', 'utf8');
  const [server = ''] = /^server \{\n  listen 443 .*?^\}/ms.exec(file) ?? [];
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  ${upstream.replace(/(^  server .*\n)+/m, `${lines.join('\n')}\n`)}
  ${server
    .replace('443 ssl http2', `127.0.0.1:${port}`)
    .replace(/^  (ssl|access_log).*\n/gm, '')
    .replace('proxy_next_upstream off;', retries)}
}
`;
}

/** Processes that share a database, behind nginx. */
export interface Replicas {
  processes: SpawnedServer[];
  /** Sends its requests to nginx. */
  visitor: Client;
  stop: () => Promise<void>;
}

/** Starts a process for each of these URLs of the same database, all at once: on an empty one, one of them migrates. */
export async function startReplicas(databaseUrls: string[]): Promise<Replicas> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-replicas-'));
  await chmod(folder, 0o755); // nginx serves as another user
  const env = { MASTER_KEYS: randomBytes(32).toString('base64'), TRUSTED_PROXIES: '127.0.0.1' };
  const processes = await Promise.all(databaseUrls.map((url) => spawnServer(instanceOn(url, folder), env)));
  const nginx = await startNginx(
    folder,
    processes.map(({ url }) => url),
  );
  return {
    processes,
    visitor: new Client(nginx.url),
    stop: async () => {
      await nginx.stop();
      await Promise.all(processes.map((process) => process.stop('SIGKILL')));
      await rm(folder, { recursive: true });
    },
  };
}

/** As much of an instance as is needed to start a process, or to open the database. */
export function instanceOn(databaseUrl: string, folder = tmpdir()): Instance {
  return { env: { DATA_DIR: folder, DATABASE_URL: databaseUrl } } as unknown as Instance;
}
