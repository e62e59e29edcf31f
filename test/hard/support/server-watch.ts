import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { SpawnedServer } from '../../support/spawn-server.js';

/** What was seen of a server for a while. */
export interface Seen {
  /** The longest time in milliseconds that GET /up took, without what the machine spent on something else. */
  longestWait: number;
  /** Bytes of resident memory. */
  mostMemory: number;
  mostDescriptors: number;
}

/** Watches a server by a process of its own, so that nothing a test does is taken for the server's doing. */
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

  /** What is seen while something is done. */
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
