import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';

const ESTABLISHED = '01';
const FIN_WAIT_1 = '04'; // left to the system, which still keeps bytes that the other end has not taken
const LOOK_MS = 300;

/** What somebody sends, and no more. */
export interface Sent {
  bytes: string | Buffer;
  /** Whether they read what comes. */
  isRead: boolean;
}

/** Connections to a server on which something was sent, and no more. */
export class Connections {
  /** The clients' own. */
  private readonly ports: number[];

  private constructor(
    private readonly serverPort: number,
    private readonly sockets: Socket[],
  ) {
    this.ports = sockets.map(({ localPort }) => localPort ?? 0);
  }

  /** All at once. */
  static async open(url: string, all: Sent[]): Promise<Connections> {
    const { hostname, port } = new URL(url);
    const joining = all.map((sent) => join(sent, Number(port), hostname));
    return new Connections(Number(port), await Promise.all(joining));
  }

  /** Waits until nothing moves any more: those who read nothing have been sent all that the system takes for them. */
  async haveComeToRest(): Promise<void> {
    let last = '';
    await eventually(async () => {
      const before = last;
      await setTimeout(LOOK_MS);
      last = (await this.serverEnds()).map(({ queues }) => queues).join();
      return last === before;
    });
  }

  /** Whether each has not been cut off, or the system still keeps bytes for it. */
  async areLeft(): Promise<boolean[]> {
    const left = new Set((await this.serverEnds()).map(({ clientPort }) => clientPort));
    return this.ports.map((port) => left.has(port));
  }

  leave(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** The server's ends of these connections, by the system's own list. */
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
