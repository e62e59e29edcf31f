/** What tests use until they have ended: an app, a server, an instance. */
type Used = { stop(): Promise<unknown> } | { destroy(): Promise<unknown> };

/** What is in use. It ends in the opposite order, so that nothing loses what it needs. */
const inUse: Used[] = [];

async function endLast(): Promise<void> {
  const last = inUse.pop();
  if (last) await ('stop' in last ? last.stop() : last.destroy());
}

/** Makes or starts something once, for all tests of a describe block or of a spec. */
export function forAllTests<T extends Used>(begin: () => Promise<T>): T {
  const later = new Later(begin);
  beforeAll(() => later.begin());
  afterAll(endLast);
  return later.value;
}

/** Makes or starts something anew for each test of a describe block or of a spec. */
export function forEachTest<T extends Used>(begin: () => Promise<T>): T {
  const later = new Later(begin);
  beforeEach(() => later.begin());
  afterEach(endLast);
  return later.value;
}

class Later<T extends Used> {
  private current = {} as T;
  /** Stands for what does not exist yet. */
  readonly value = new Proxy({} as T, {
    get: (_, name) => Reflect.get(this.current, name),
    set: (_, name, value) => Reflect.set(this.current, name, value),
  });

  constructor(private readonly make: () => Promise<T>) {}

  async begin(): Promise<void> {
    this.current = await this.make();
    inUse.push(this.current);
  }
}
