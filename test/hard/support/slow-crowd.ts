import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';

const ESTABLISHED = '01';
const FIN_WAIT_1 = '04'; // left to the system, which still keeps bytes that the other end has not taken
const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: multipart/form-data; boundary=b';
const PART = '--b\r\nContent-Disposition: form-data; name="push[files][]"; filename="a"\r\n\r\nhello';

/** What each kind of slow client sends, and no more; those of the last kind read nothing either. */
const kindsOf = (download: string) => ({
  headers: 'GET /api/v2/version HTTP/1.1\r\nHost: a\r\nX-Begun: ',
  json: begunPush(JSON_TYPE, '{"push":'),
  multipart: begunPush(FORM_TYPE, PART),
  idle: 'GET /api/v2/version HTTP/1.1\r\nHost: a\r\n\r\n',
  unread: `GET ${new URL(download).pathname} HTTP/1.1\r\nHost: a\r\n\r\n`,
});

function begunPush(type: string, begun: string): string {
  return `POST /api/v2/pushes HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 1000000\r\n\r\n${begun}`;
}

interface SlowClient {
  kind: string;
  socket: Socket;
}

/** Clients that are slow, of five kinds. */
export class SlowCrowd {
  private constructor(
    private readonly port: number,
    private readonly clients: SlowClient[],
  ) {}

  /** So many of each kind, all at once. */
  static async of(each: number, download: string): Promise<SlowCrowd> {
    const { hostname, port } = new URL(download);
    const joining = Object.entries(kindsOf(download)).flatMap(([kind, bytes]) =>
      Array.from({ length: each }, () => join(kind, bytes, Number(port), hostname)),
    );
    return new SlowCrowd(Number(port), await Promise.all(joining));
  }

  get size(): number {
    return this.clients.length;
  }

  /** Waits until nothing moves any more: those who read nothing have been sent all that the system takes for them. */
  async hasComeToRest(): Promise<void> {
    let last = -1;
    await eventually(async () => {
      const before = last;
      await setTimeout(1000);
      last = (await this.connections()).reduce((sum, { queued }) => sum + queued, 0);
      return last === before;
    });
  }

  /** The kinds of those who have not been cut off, or for whom the system still keeps bytes. */
  async kindsLeft(): Promise<string[]> {
    const ports = new Set((await this.connections()).map(({ clientPort }) => clientPort));
    return this.clients.filter(({ socket }) => ports.has(socket.localPort ?? 0)).map(({ kind }) => kind);
  }

  leave(): void {
    for (const { socket } of this.clients) socket.destroy();
  }

  /** The server's ends of connections, by the system's own list. */
  private async connections(): Promise<{ clientPort: number; queued: number }[]> {
    const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
    return rows
      .filter(
        ([, local, , state]) =>
          portOf(local) === this.port && [ESTABLISHED, FIN_WAIT_1].includes(state ?? ''),
      )
      .map(([, , remote, , queues = '']) => ({ clientPort: portOf(remote), queued: parseInt(queues, 16) }));
  }
}

async function join(kind: string, bytes: string, port: number, hostname: string): Promise<SlowClient> {
  const socket = connect(port, hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  if (kind !== 'unread') socket.resume();
  return { kind, socket };
}

function portOf(address = ''): number {
  return parseInt(address.split(':')[1] ?? '', 16);
}
