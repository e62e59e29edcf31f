import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';

const ESTABLISHED = '01';
const FIN_WAIT_1 = '04'; // closed by the process, while the kernel still holds bytes that the client has not read
const LOOK_MS = 300;

/** What a client sends before it stops sending. */
export interface Sent {
  bytes: string | Buffer;
  /** Whether the client reads the response. */
  isRead: boolean;
}

/** Connections to a server on which something was sent, and nothing more. */
export class Connections {
  /** The local ports of the clients. */
  private readonly ports: number[];

  private constructor(
    private readonly serverPort: number,
    private readonly sockets: Socket[],
  ) {
    this.ports = sockets.map(({ localPort }) => localPort ?? 0);
  }

  /** Opens all of them at the same time. */
  static async open(url: string, all: Sent[]): Promise<Connections> {
    const { hostname, port } = new URL(url);
    const joining = all.map((sent) => join(sent, Number(port), hostname));
    return new Connections(Number(port), await Promise.all(joining));
  }

  /** Waits until no more bytes are transferred: the socket buffers of clients that do not read are full. */
  async haveComeToRest(): Promise<void> {
    let last = '';
    await eventually(async () => {
      const before = last;
      await setTimeout(LOOK_MS);
      last = (await this.serverEnds()).map(({ queues }) => queues).join();
      return last === before;
    });
  }

  /** For each, whether it is still open, or the kernel still holds bytes for it. */
  async areLeft(): Promise<boolean[]> {
    const left = new Set((await this.serverEnds()).map(({ clientPort }) => clientPort));
    return this.ports.map((port) => left.has(port));
  }

  leave(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** The server's side of these connections, as listed by the kernel. */
  private async serverEnds(): Promise<{ clientPort: number; queues: string }[]> {
    const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
    return rows
      .filter(
        ([, local, , state]) =>
          portOf(local) === this.serverPort && [ESTABLISHED, FIN_WAIT_1].includes(state ?? ''),
      )
      .map(([, , remote, , queues = '']) => ({ clientPort: portOf(remote), queues }))
      .filter(({ clientPort }) => this.ports.includes(clientPort));
  }
}

async function join({ bytes, isRead }: Sent, port: number, hostname: string): Promise<Socket> {
  const socket = connect(port, hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  if (isRead) socket.resume();
  return socket;
}

function portOf(address = ''): number {
  return parseInt(address.split(':')[1] ?? '', 16);
}
