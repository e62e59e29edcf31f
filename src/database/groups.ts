import { setImmediate } from 'node:timers/promises';

const LARGEST_GROUP = 64;
const GROUPS_AT_ONCE = 2;
const LONGEST_TURN_MS = 100;

interface Waiting<Request, Answer> {
  request: Request;
  resolve: (answer: Answer | Promise<Answer>) => void;
  reject: (error: unknown) => void;
}

/**
 * Requests of one kind that the database answers in groups, because round trips are what costs. Nobody waits for
 * others to come, only for the groups before his, and not for long when these wait themselves, for a lock or for a
 * silent server. Who comes meanwhile is in the next group.
 */
export class Groups<Request, Answer> {
  private readonly waiting: Waiting<Request, Answer>[] = [];
  private atWork = 0;

  /**
   * @param answer gives an answer for each request, in their order; it fails all of them when it fails
   * @param fitting how many of the waiting requests fit into a group, at least one
   */
  constructor(
    private readonly answer: (requests: Request[]) => Promise<(Answer | Promise<Answer>)[]>,
    private readonly fitting: (requests: Request[]) => number = (requests) => requests.length,
  ) {}

  ask(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      if (this.atWork < GROUPS_AT_ONCE) void this.workOff();
    });
  }

  private async workOff(): Promise<void> {
    this.atWork++;
    for (;;) {
      await setImmediate(); // lets requests that arrived together join the group
      if (this.waiting.length === 0) break;
      await atMost(LONGEST_TURN_MS, this.answerGroup(this.waiting.splice(0, this.sizeOfNext())));
    }
    this.atWork--;
  }

  private sizeOfNext(): number {
    return this.fitting(this.waiting.slice(0, LARGEST_GROUP).map(({ request }) => request));
  }

  private async answerGroup(group: Waiting<Request, Answer>[]): Promise<void> {
    try {
      const answers = await this.answer(group.map(({ request }) => request));
      group.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      group.forEach(({ reject }) => {
        reject(error);
      });
    }
  }
}

/** Waits for work that never fails, but no longer than this. */
function atMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, ms);
    void work.then(() => {
      clearTimeout(patience);
      resolve();
    });
  });
}
