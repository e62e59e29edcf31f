import { Connections } from './connections.js';

const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: multipart/form-data; boundary=b';
const PART = '--b\r\nContent-Disposition: form-data; name="push[files][]"; filename="a"\r\n\r\nhello';

/** What each kind of slow client sends before it stops; clients of the last kind do not read either. */
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

/** Five kinds of slow clients. */
export class SlowCrowd {
  private constructor(
    private readonly kinds: string[],
    private readonly connections: Connections,
  ) {}

  /** Opens `each` clients of each kind, all at the same time. */
  static async of(each: number, download: string): Promise<SlowCrowd> {
    const clients = Object.entries(kindsOf(download)).flatMap(([kind, bytes]) =>
      Array.from({ length: each }, () => ({ kind, bytes, isRead: kind !== 'unread' })),
    );
    return new SlowCrowd(
      clients.map(({ kind }) => kind),
      await Connections.open(download, clients),
    );
  }

  get size(): number {
    return this.kinds.length;
  }

  /** Waits until no more bytes are transferred: the socket buffers of clients that do not read are full. */
  hasComeToRest(): Promise<void> {
    return this.connections.haveComeToRest();
  }

  /** The kinds of the clients that are still connected, or for which the kernel still holds bytes. */
  async kindsLeft(): Promise<string[]> {
    const areLeft = await this.connections.areLeft();
    return this.kinds.filter((_kind, index) => areLeft[index]);
  }

  leave(): void {
    this.connections.leave();
  }
}
