import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Log } from '../../platform/logging/log.js';
import { MemoryBudget } from '../../platform/settings/memory-budget.js';

/** What a worker tells its supervisor once it serves. */
export const LISTENING = 'listening';

/** A pause before a restart, so that a worker that fails immediately is not restarted in a busy loop. */
const PAUSE_BEFORE_ANOTHER_MS = 1000;

/** Keeps a number of worker processes serving on one port: each one that exits is replaced. */
export class Supervisor {
  private readonly workers = new Set<Worker>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly count: number,
    private readonly log: Log,
    private readonly workerStart = new MemoryBudget(count).startOf(process.execArgv),
  ) {
    if (workerStart) cluster.setupPrimary({ execArgv: workerStart.options });
  }

  /**
   * Starts the first worker and then the others, so that only one prepares the database and reports errors.
   * @returns the exit code of the first worker if it exits before it serves, otherwise undefined
   */
  async start(): Promise<number | undefined> {
    const first = this.fork();
    const code = await Promise.race([
      listening(first).then(() => undefined),
      once(first, 'exit').then(([code]) => (code as number | null) ?? 1),
    ]);
    if (code !== undefined) return code;

    this.replaceWhenItEnds(first);
    const others = Array.from({ length: this.count - 1 }, () => this.fork());
    others.forEach((worker) => {
      this.replaceWhenItEnds(worker);
    });
    void Promise.all(others.map((worker) => listening(worker))).then(() => {
      this.log.event('All workers serve', { workers: this.count });
    });
    return undefined;
  }

  /**
   * Stops all workers after they have finished their requests.
   * @returns 0, or the exit code of a worker that failed
   */
  async stop(): Promise<number> {
    this.stopping.abort();
    const codes = await Promise.all(
      Array.from(this.workers, async (worker) => {
        const exit = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        const [code, signal] = (await exit) as [number | null, string | null];
        return code ?? (signal === 'SIGTERM' ? 0 : 1); // SIGTERM kills a worker that is still starting
      }),
    );
    return codes.find((code) => code !== 0) ?? 0;
  }

  private fork(): Worker {
    const worker = cluster.fork(this.workerStart?.environment);
    this.workers.add(worker);
    worker.once('exit', () => this.workers.delete(worker));
    return worker;
  }

  private replaceWhenItEnds(worker: Worker): void {
    worker.once('exit', (code: number | null, signal: string | null) => {
      if (this.stopping.signal.aborted) return;
      this.log.event('A worker has exited; starting another', {
        pid: worker.process.pid,
        code,
        signal,
      });
      setTimeout(PAUSE_BEFORE_ANOTHER_MS, undefined, { signal: this.stopping.signal }).then(
        () => {
          this.replaceWhenItEnds(this.fork());
        },
        () => undefined, // the supervisor was stopped in the meantime
      );
    });
  }
}

/** Waits until a worker serves. */
function listening(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = (message: unknown) => {
      if (message !== LISTENING) return;
      worker.off('message', onMessage);
      resolve();
    };
    worker.on('message', onMessage);
  });
}
