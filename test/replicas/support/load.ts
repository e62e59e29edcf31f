import type { Client } from '../../support/client.js';
import { allAtOnce } from '../../support/concurrent-calls.js';

const VIEWS = 40;
const HOT_PUSHES = 10;
const CLIENTS = 4;
/** Enough pushes for a cluster to have noticed a failure, and for half of them to be created after it has. */
const ENOUGH = 150;
/** Views of one push that may have been used up by responses that were lost. */
const MAX_LOST_VIEWS = 20;

/** What a load has found that must not be. */
export interface Faults {
  /** What is shown instead of pushes whose creation was acknowledged. */
  lost: unknown[];
  /** How often pushes were shown that were shown too often, or not nearly as often as their limit allows. */
  viewsWrong: number[];
  /** Failures at a time when the cluster should have recovered, and at any time those that are not temporary. */
  failures: string[];
}

export const NO_FAULTS: Faults = { lost: [], viewsWrong: [], failures: [] };

/** Clients that create pushes, and others that retrieve a few pushes up to their limits, until `end`. */
export class Load {
  private readonly made: string[] = [];
  private readonly shown = new Map<string, number>();
  private readonly errors: { madeSoFar: number; what: string }[] = [];
  private clients: Promise<unknown> = Promise.resolve();
  private isOver = false;

  private constructor(private readonly visitor: Client) {}

  static async begin(visitor: Client): Promise<Load> {
    const load = new Load(visitor);
    for (let i = 0; i < HOT_PUSHES; i++) {
      const { url_token } = await visitor.push({ payload: 'rose', expire_after_views: VIEWS });
      load.shown.set(url_token, 0);
    }
    load.clients = Promise.all([
      allAtOnce(CLIENTS, () => load.create()),
      allAtOnce(CLIENTS, (client) => load.retrieveHot(client)),
    ]);
    await load.hasCreated(50);
    return load;
  }

  /** Goes on until it has recovered from what has been done to the cluster, then stops. */
  async end(): Promise<Faults> {
    await this.hasCreated(ENOUGH);
    this.isOver = true;
    await this.clients;

    const found = await Promise.all(
      this.made.map(async (urlToken) => (await this.visitor.retrieve(urlToken)).body.payload as unknown),
    );
    const useUp = async (urlToken: string) => {
      for (let i = 0; i <= VIEWS; i++) await this.retrieve(urlToken);
    };
    await Promise.all([...this.shown.keys()].map(useUp));
    const isFault = ({ madeSoFar, what }: { madeSoFar: number; what: string }) =>
      what === '500' || madeSoFar > this.made.length - ENOUGH / 2;
    return {
      lost: found.filter((payload) => !/^lily \d+$/.test(String(payload))),
      viewsWrong: [...this.shown.values()].filter((count) => count > VIEWS || count < VIEWS - MAX_LOST_VIEWS),
      failures: this.errors.filter(isFault).map(({ what }) => what),
    };
  }

  private async hasCreated(more: number): Promise<void> {
    const enough = this.made.length + more;
    while (this.made.length < enough) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  private async create(): Promise<void> {
    while (!this.isOver) {
      await this.attempt(async () => {
        const payload = `lily ${this.made.length}`;
        const { status, body } = await this.visitor.post('/api/v2/pushes', {
          push: { payload, note: payload },
        });
        if (status === 201) this.made.push(body.url_token);
        return status;
      });
    }
  }

  private async retrieveHot(client: number): Promise<void> {
    const hot = [...this.shown.keys()];
    for (let n = client; !this.isOver; n++)
      await this.attempt(() => this.retrieve(hot[n % HOT_PUSHES] ?? ''));
  }

  private async retrieve(urlToken: string): Promise<number> {
    const { status, body } = await this.visitor.retrieve(urlToken);
    if (body.payload === 'rose') this.shown.set(urlToken, (this.shown.get(urlToken) ?? 0) + 1);
    return status;
  }

  private async attempt(work: () => Promise<number>): Promise<void> {
    const status = await work().catch((error: unknown) => String(error));
    if (status !== 200 && status !== 201) {
      this.errors.push({ madeSoFar: this.made.length, what: String(status) });
    }
  }
}
