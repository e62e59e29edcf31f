import type { Queue, QueueAddOptions } from 'p-queue';

type Task = () => Promise<unknown>;

/** The client that a task is for. */
export interface ForClient extends QueueAddOptions {
  client?: string;
}

/** The waiting tasks of a p-queue: those of each client in order, and one of each client in turn. */
export class RoundRobin implements Queue<Task, ForClient> {
  size = 0;
  /** Waiting tasks by client, next client first; contains only clients with waiting tasks. */
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
    throw new Error('A waiting task is not removed.');
  }
}
