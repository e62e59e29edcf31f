import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestInClear } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';

const OURS = 'deploy/proxies';

/** A program that terminates TLS, with a configuration file of ours. */
export interface ProxyProgram {
  /** Undefined if it is not installed. */
  path?: string;
  /** What it prints when it is ready. */
  ready: string;
  command: string[];
  /** Changes our file so that it runs here. */
  adapt: (file: string, place: ProxyPlace) => string;
}

/** Where a proxy of a test runs. */
export interface ProxyPlace {
  folder: string;
  port: number;
  portInClear: number;
  /** Host and port of the service. */
  upstream: string;
}

interface ProxyRequest {
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The source address, one of this machine's own. */
  from?: string;
  /** Sends the body only in part: the response must come before its end. */
  unfinished?: boolean;
  inClear?: boolean;
}

export interface TlsProxy {
  port: number;
  folder: string;
  certificate: Buffer;
  send(
    method: string,
    path: string,
    options?: ProxyRequest,
  ): Promise<{ status: number; headers: IncomingMessage['headers']; bytes: Buffer; body: any }>;
  /** All that it has logged. */
  logs(): Promise<string>;
  stop(): Promise<void>;
}

/** What of our files is there on the operator's machine, and not here. */
const ELSEWHERE = /^[^#\n]*(:5100|\b443\b|\b80;|\/etc\/|\/var\/)/m;

/**
 * Starts a proxy for a host with one of the files in deploy/proxies.
 * @param givenPort where it terminates TLS, if that must be known before
 */
export async function startTlsProxy(
  program: ProxyProgram,
  file: string,
  host: string,
  upstream: string,
  givenPort?: number,
): Promise<TlsProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-proxy-'));
  await mkdir(join(folder, 'logs'));
  await makeCertificate(folder, host);
  const [port, portInClear] = [givenPort ?? (await freePort()), await freePort()];
  const place = { folder, port, portInClear, upstream: new URL(upstream).host };
  const adapted = program.adapt(await readFile(join(OURS, file), 'utf8'), place);
  const [unchanged] = ELSEWHERE.exec(adapted) ?? [];
  if (unchanged !== undefined) throw new Error(`not changed in ${file}: ${unchanged}`);
  await writeFile(join(folder, 'config'), adapted);

  let output = '';
  const { path = '', command } = program;
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(path, command, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder, env });
  const exit = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(program.ready)) resolve();
    });
    child.once('exit', () => {
      reject(new Error(`${path} has exited: ${output}`));
    });
  });

  const ca = await readFile(join(folder, 'certificate.pem'));
  return {
    port,
    folder,
    certificate: ca,
    send: async (method, path, { headers = {}, body, from, unfinished = false, inClear = false } = {}) => {
      const common = { host: '127.0.0.1', localAddress: from, agent: false as const, method, path };
      const all = { ...common, headers: { Host: host, ...headers } };
      const sent = inClear
        ? requestInClear({ ...all, port: portInClear })
        : request({ ...all, port, servername: host, ca });
      return answerTo(sent, body, unfinished);
    },
    logs: async () => {
      const names = await readdir(join(folder, 'logs'));
      const texts = await Promise.all(names.map((name) => readFile(join(folder, 'logs', name), 'utf8')));
      return [output, ...texts].join('\n');
    },
    stop: async () => {
      child.kill();
      await exit;
      await rm(folder, { recursive: true });
    },
  };
}

async function answerTo(sent: ClientRequest, body: string | Buffer | undefined, unfinished: boolean) {
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.on('error', () => undefined); // the connection may end before the body does
  if (unfinished) sent.write(body);
  else sent.end(body);
  const [response] = await answered;
  const bytes = await buffer(response);
  sent.destroy();
  const isJson = response.headers['content-type']?.startsWith('application/json');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : bytes.toString(),
  };
}

async function makeCertificate(folder: string, host: string): Promise<void> {
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
    ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
    ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')],
  ]);
}
