import type { Queue, QueueAddOptions } from 'p-queue';

type Task = () => Promise<unknown>;

/** Who a task is for. */
export interface ForClient extends QueueAddOptions {
  client?: string;
}

/** What waits in a p-queue: each client’s tasks in their order, and one of each client in turn. */
export class RoundRobin implements Queue<Task, ForClient> {
  size = 0;
  /** By client; the one whose turn is next comes first, and a client without tasks is not in it. */
  private readonly tasks = new Map<string, Task[]>();

  enqueue(task: Task, { client = '' }: ForClient = {}): void {
    const own = this.tasks.get(client);
    if (own) own.push(task);
    else this.tasks.set(client, [task]);
    this.size++;
  }

  dequeue(): Task | undefined {
    const [next] = this.tasks;
    if (!next) return undefined;

    const [client, own] = next;
    const task = own.shift();
    this.tasks.delete(client);
    if (own.length > 0) this.tasks.set(client, own);
    this.size--;
    return task;
  }

  filter({ client = '' }: ForClient): Task[] {
    return [...(this.tasks.get(client) ?? [])];
  }

  setPriority(): never {
    throw new Error('Clients take turns; there are no priorities.');
  }

  remove(): never {
    throw new Error('A task that waits is not removed.');
  }
}
