import { ServiceUnavailableException } from '@nestjs/common';
import type { CountedNetwork } from '../http/visitor.js';
import { clientNetworks } from '../http/visitor.js';
import { TooManyRequests } from '../http/errors/too-many-requests.js';
import { MINUTE_MS, SECOND_MS } from '../settings/units.js';
import { Problem } from '../errors/problem.js';

const RETRY_AFTER_MS = 2 * SECOND_MS;
/** Of this many turns, one is for a client that is not known, if any waits. */
const TURNS = 4;

/** How many tasks run at a time, and how many may wait: for one client network, times its factor, and for all. */
export interface QueueLimits {
  concurrency: number;
  waitingOfOne: number;
  waitingOfAll: number;
}

/** Who a task is for. */
export interface QueuedClient {
  /** Empty for the operator. */
  ip: string;
  /** Whether somebody has shown, now or earlier, to be no stranger: such tasks go first. */
  isKnown?: boolean;
}

interface WaitingTask {
  networks: CountedNetwork[];
  isKnown: boolean;
  start: () => void;
  refuse: (error: Error) => void;
}

/**
 * Runs heavy tasks a few at a time. Known clients go first, with three of four turns; among the others, client networks
 * that have had the fewest turns of late. So a flood delays a known client by a few tasks, and any other network by one
 * task of each network of the flood, however long it lasts. When the queue is full, the last of these is refused.
 */
export class FairQueue {
  private running = 0;
  private turns = 0;
  private readonly waiting: WaitingTask[] = [];
  private readonly recent = new RecentTurns();

  constructor(private readonly limits: QueueLimits) {}

  /** How many tasks wait. */
  get length(): number {
    return this.waiting.length;
  }

  /**
   * @param signal ends the wait, with its reason
   * @throws TooManyRequests when too many tasks of one of the client's networks are waiting
   * @throws ServiceUnavailableException when too many tasks are waiting in total
   */
  async run<T>(
    { ip, isKnown = false }: QueuedClient,
    task: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    signal?.throwIfAborted();
    const networks = clientNetworks(ip);
    if (this.running < this.limits.concurrency) this.running += 1;
    else await this.turn(networks, isKnown, signal);
    this.recent.count(widest(networks));
    try {
      return await task();
    } finally {
      this.passOn();
    }
  }

  /** Resolves when a running task has ended and this one takes its place. */
  private turn(networks: CountedNetwork[], isKnown: boolean, signal?: AbortSignal): Promise<void> {
    for (const { network, factor } of networks) {
      const own = this.waiting.filter((task) => task.networks.some((other) => other.network === network));
      if (own.length >= this.limits.waitingOfOne * factor)
        throw new TooManyRequests('attempts', new Problem('too_many_waiting_requests'), RETRY_AFTER_MS);
    }
    return new Promise((start, refuse) => {
      const task = { networks, isKnown, start, refuse };
      this.waiting.push(task);
      signal?.addEventListener('abort', () => this.remove(task)?.refuse(signal.reason as Error), {
        once: true,
      });
      if (this.waiting.length <= this.limits.waitingOfAll) return;
      const last = this.waiting.toSorted((a, b) => this.compare(a, b)).at(-1);
      this.remove(last)?.refuse(new ServiceUnavailableException(new Problem('busy')));
    });
  }

  private passOn(): void {
    this.turns += 1;
    const strangers = this.waiting.filter(({ isKnown }) => !isKnown);
    const isForStranger = this.turns % TURNS === 0 && strangers.length > 0;
    const [next] = (isForStranger ? strangers : this.waiting).toSorted((a, b) => this.compare(a, b));
    if (next) this.remove(next)?.start();
    else this.running -= 1;
  }

  /** Negative when `a` goes first; tasks that are equal keep the order in which they came. */
  private compare(a: WaitingTask, b: WaitingTask): number {
    return (
      Number(b.isKnown) - Number(a.isKnown) ||
      this.recent.of(widest(a.networks)) - this.recent.of(widest(b.networks))
    );
  }

  private remove(task: WaitingTask | undefined): WaitingTask | undefined {
    return task && this.waiting.includes(task)
      ? this.waiting.splice(this.waiting.indexOf(task), 1)[0]
      : undefined;
  }
}

/** What has turns of its own: an IPv4 address, or the /48 of an IPv6 one, which one customer often has. */
function widest(networks: CountedNetwork[]): string {
  return networks.at(-1)?.network ?? '';
}

/** How many turns each client network has had in the last ten to twenty minutes. It grows only as tasks run. */
class RecentTurns {
  private earlier = new Map<string, number>();
  private latest = new Map<string, number>();
  private began = performance.now();

  count(network: string): void {
    if (performance.now() - this.began > 10 * MINUTE_MS) {
      this.earlier = this.latest;
      this.latest = new Map();
      this.began = performance.now();
    }
    this.latest.set(network, (this.latest.get(network) ?? 0) + 1);
  }

  of(network: string): number {
    return (this.earlier.get(network) ?? 0) + (this.latest.get(network) ?? 0);
  }
}
