import { once } from 'node:events';

interface Message {
  type: 'success' | 'error' | 'event';
  id?: number;
  /** Of what succeeded. */
  result?: unknown;
  /** Of an event. */
  params?: { level: string; text: string };
}

/**
 * A session of a browser that speaks WebDriver BiDi, https://www.w3.org/TR/webdriver-bidi/. Playwright speaks it too,
 * but only to newer versions of Firefox than that of Debian.
 */
export class BiDiConnection {
  /** What the pages have logged as errors, or thrown. */
  readonly errors: string[] = [];
  private readonly replies = new Map<number | undefined, (message: Message) => void>();
  private lastId = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data as string) as Message;
      if (message.type !== 'event') this.replies.get(message.id)?.(message);
      else if (message.params?.level === 'error') this.errors.push(message.params.text);
    });
  }

  static async open(url: string): Promise<BiDiConnection> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    const connection = new BiDiConnection(socket);
    await connection.send('session.new', { capabilities: {} });
    await connection.send('session.subscribe', { events: ['log.entryAdded'] });
    return connection;
  }

  send<T>(method: string, params: object): Promise<T> {
    const id = ++this.lastId;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      this.replies.set(id, (message) => {
        if (message.type === 'success') resolve(message.result as T);
        else reject(new Error(`${method}: ${JSON.stringify(message)}`));
      });
    });
  }
}
