import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';

const NGINX = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'nginx'))
  .find(existsSync);

/** Whether nginx is installed. */
export const hasNginx = NGINX !== undefined;

/** An nginx that terminates TLS for one host and forwards requests, as in a typical installation. */
export interface TlsProxy {
  /** Sends a request through it. `from` is the source address, one of this machine's own. */
  send(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: string | Buffer; from?: string },
  ): Promise<{ status: number; headers: IncomingMessage['headers']; bytes: Buffer; body: any }>;
  stop(): Promise<void>;
}

export async function startTlsProxy(host: string, upstream: string): Promise<TlsProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-nginx-'));
  await makeCertificate(folder, host);
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port, upstream));

  const nginx = spawn(NGINX ?? 'nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(nginx, 'exit');
  await new Promise<void>((resolve, reject) => {
    let output = '';
    nginx.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('start worker process ')) resolve();
    });
    nginx.once('exit', () => {
      reject(new Error(`nginx has exited: ${output}`));
    });
  });

  const ca = await readFile(join(folder, 'certificate.pem'));
  return {
    send: async (method, path, { headers = {}, body, from } = {}) => {
      const sent = request({
        ...{ host: '127.0.0.1', port, localAddress: from, servername: host, ca, agent: false },
        ...{ method, path, headers: { Host: host, ...headers } },
      });
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
      sent.end(body);
      const [response] = await answered;
      const bytes = await buffer(response);
      const isJson = response.headers['content-type']?.startsWith('application/json');
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        bytes,
        body: isJson ? JSON.parse(bytes.toString()) : bytes.toString(),
      };
    },
    stop: async () => {
      nginx.kill();
      await exit;
      await rm(folder, { recursive: true });
    },
  };
}

async function makeCertificate(folder: string, host: string): Promise<void> {
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
    ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
    ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')],
  ]);
}

function configuration(folder: string, port: number, upstream: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log stderr notice;
    events {}
    http {
      access_log off;
      client_max_body_size 34m;
      ${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n      ')}
      server {
        listen 127.0.0.1:${port} ssl;
        ssl_certificate certificate.pem;
        ssl_certificate_key key.pem;
        location / {
          proxy_pass ${upstream};
          proxy_set_header Host $proxy_host;
          proxy_set_header X-Forwarded-Host $http_host;
          proxy_set_header X-Forwarded-Proto $scheme;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        }
      }
    }`;
}
