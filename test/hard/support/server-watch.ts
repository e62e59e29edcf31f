import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { SpawnedServer } from '../../support/spawn-server.js';

/** Measurements of a server over a period. */
export interface Seen {
  /** The longest time in milliseconds that GET /up took, without the time the server waited for a CPU. */
  longestWait: number;
  /** Bytes of resident memory. */
  maxMemory: number;
  maxDescriptors: number;
}

/** Measures a server from a separate process, so that work in the test does not distort the result. */
export class ServerWatch {
  private readonly end: Promise<never>;

  private constructor(private readonly watcher: ChildProcess) {
    this.end = once(watcher, 'exit').then(() => {
      throw new Error('the server can no longer be watched');
    });
    this.end.catch(() => undefined);
  }

  static async of({ url, process: { pid } }: SpawnedServer): Promise<ServerWatch> {
    const watcher = fork('test/hard/support/watch-server.mjs', [url, String(pid)], { execArgv: [] });
    await once(watcher, 'message');
    return new ServerWatch(watcher);
  }

  /** The measurements while the action runs. */
  async during(act: () => Promise<unknown>): Promise<Seen> {
    this.watcher.send('begin');
    await act();
    this.watcher.send('end');
    const [seen] = (await Promise.race([once(this.watcher, 'message'), this.end])) as [Seen];
    return seen;
  }

  stop(): void {
    this.watcher.disconnect();
  }
}
