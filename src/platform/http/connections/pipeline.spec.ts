import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Pipelines } from './connection-limits.js';

const MOST = 10;

describe('Requests of one connection', () => {
  let server: Server;
  let client: Socket;
  let pipelines: Pipelines;
  let serverSocket: Socket;
  let received: string;
  /** Requests in progress, in order. */
  let inProgress: [IncomingMessage, ServerResponse][];
  let maxInProgress: number;
  let paths: string[];
  let isAnsweredImmediately: boolean;

  beforeEach(async () => {
    inProgress = [];
    maxInProgress = 0;
    paths = [];
    received = '';
    isAnsweredImmediately = false;
    server = createServer((request, response) => {
      inProgress.push([request, response]);
      maxInProgress = Math.max(maxInProgress, inProgress.length);
      paths.push(request.url ?? '');
      request.resume();
      if (isAnsweredImmediately) answerNext();
    });
    pipelines = new Pipelines();
    pipelines.watch(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const connected = once(server, 'connection');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.on('data', (chunk) => (received += chunk.toString()));
    [serverSocket] = (await connected) as [Socket];
  });
  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const post = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await setTimeout(1);
  };
  const answerNext = () => {
    const [, response] = inProgress.shift() ?? [];
    response?.end('tulip');
  };
  /** Responds to requests in progress, and to later ones, until this many have been handled. */
  const answerAll = async (count: number) => {
    for (let answered = 0; answered < count; answered++) {
      await until(() => inProgress.length > 0);
      answerNext();
    }
  };
  const answers = () => received.split('HTTP/1.1 200 OK').length - 1;
  const pathsOf = (count: number) => Array.from({ length: count }, (_, i) => `/${i}`);

  it('are all handled, a few at a time, in order (L6)', async () => {
    client.write(pathsOf(1000).map(get).join(''));
    await until(() => inProgress.length === MOST);
    await answerAll(1000);
    await until(() => answers() === 1000);

    expect(paths).toEqual(pathsOf(1000));
    expect(maxInProgress).toBe(MOST);
    expect(pipelines.isBusy(serverSocket)).toBe(false);
  });

  it('do not block the event loop, even if each gets a response immediately (L8)', async () => {
    isAnsweredImmediately = true;
    let maxInTurn = 0;
    client.write(pathsOf(1000).map(get).join(''));
    while (answers() < 1000) {
      const before = paths.length;
      await setImmediate();
      maxInTurn = Math.max(maxInTurn, paths.length - before);
    }

    expect(paths).toEqual(pathsOf(1000));
    expect(maxInTurn).toBeLessThanOrEqual(2);
  });

  it('wait in the socket while too many are in progress (L6)', async () => {
    const request = get(`/${'x'.repeat(1000)}`);
    client.write(request.repeat(20_000));
    await until(() => inProgress.length === MOST);
    answerNext(); // starts the next request, and Node.js resumes the socket
    await until(() => inProgress.length === MOST);
    await setTimeout(50);

    expect(serverSocket.bytesRead).toBeLessThan(1_000_000);
    expect(serverSocket.isPaused()).toBe(true);
  });

  it('can have bodies', async () => {
    const body = 'x'.repeat(100_000);
    const requests = Array.from({ length: 50 }, (_, i) => post(`/${i}`, body));
    client.write(requests.join(''));
    await answerAll(50);
    await until(() => answers() === 50);

    expect(paths).toEqual(pathsOf(50));
  });

  it('are handled when they arrive one after the other', async () => {
    for (let i = 0; i < 50; i++) {
      client.write(get(`/${i}`));
      await answerAll(1);
      await until(() => answers() === i + 1);
    }
    expect(maxInProgress).toBe(1);
  });

  it('are forgotten when the client disconnects, whether they were handled or not', async () => {
    const closed: string[] = [];
    server.prependListener('request', ({ url = '' }, response) => {
      response.once('close', () => closed.push(url));
    });
    client.write(pathsOf(100).map(get).join(''));
    await until(() => inProgress.length === MOST);
    client.destroy();
    serverSocket.destroy();
    await until(() => closed.length >= 100 - MOST);
    for (const [, response] of inProgress) response.end();
    await until(() => closed.length === 100);

    expect(paths).toEqual(pathsOf(MOST));
  });
});
