import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { connectTo, requestBytes, sendBytes } from '../support/plain-socket.js';
import { startApp } from '../support/start-app.js';

const COUNT = 1000;
const MB = 1024 * 1024;
const LARGEST = '/api/v2/openapi.json';

describe('A thousand pipelined requests', () => {
  const running = forAllTests(startApp);

  const bytes = (path: string) => requestBytes([`GET ${path} HTTP/1.1`, 'Host: a']).toString();
  const descriptors = () => readdirSync('/proc/self/fd').length;
  /** Sends the requests and reads no response. */
  const ask = async (path: string): Promise<Socket> => {
    const socket = connectTo(running.url);
    await once(socket, 'connect');
    socket.pause();
    socket.write(bytes(path).repeat(COUNT));
    return socket;
  };

  it.each(['/', '/up', '/robots.txt', '/api/v2/version', '/nothing'])(
    'for %s all get a response (L6)',
    async (path) => {
      const socket = await ask(path);
      const ids = new Set<string>();
      let rest = '';
      socket.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\r\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.startsWith('X-Request-Id: ')) ids.add(line);
      });
      socket.resume();
      await eventually(() => ids.size === COUNT);
      socket.destroy();
    },
  );

  it('for a static file, whose responses are not read, open no files and take little memory (L6, L7)', async () => {
    await running.anonymous.get(LARGEST);
    const [filesBefore, memoryBefore] = [descriptors(), process.memoryUsage().rss];
    let maxFiles = 0;
    const watching = setInterval(() => (maxFiles = Math.max(maxFiles, descriptors())), 1);

    const clients = await Promise.all(Array.from({ length: 10 }, () => ask(LARGEST)));
    await eventually(async () => {
      const [status] = await sendBytes(running.url, Buffer.from(bytes('/up')));
      return status?.status === 200 && maxFiles > 0;
    });
    clearInterval(watching);
    const kept = process.memoryUsage().rss - memoryBefore;
    for (const client of clients) client.destroy();

    expect(maxFiles).toBeLessThan(filesBefore + 100);
    expect(kept).toBeLessThan(100 * MB);
  });
});
