/** What is made for tests: an app, a server, an instance, an account. */
type Made = object & { stop?: () => Promise<unknown>; destroy?: () => Promise<unknown> };

/** What is in use. It ends in the opposite order, so that nothing loses what it needs. */
const inUse: Made[] = [];

async function endLast(): Promise<void> {
  const last = inUse.pop();
  await last?.stop?.();
  await last?.destroy?.();
}

/** Makes or starts something once, for all tests of a describe block or of a spec. */
export function forAllTests<T extends object>(make: () => T | Promise<T>): T {
  const later = new Later(make);
  beforeAll(() => later.begin());
  afterAll(endLast);
  return later.value;
}

/** Makes or starts something anew for each test of a describe block or of a spec. */
export function forEachTest<T extends object>(make: () => T | Promise<T>): T {
  const later = new Later(make);
  beforeEach(() => later.begin());
  afterEach(endLast);
  return later.value;
}

class Later<T extends object> {
  private current = {} as T;
  /** Stands for what does not exist yet. */
  readonly value = new Proxy({} as T, {
    get: (_, name) => Reflect.get(this.current, name),
    set: (_, name, value) => Reflect.set(this.current, name, value),
    has: (_, name) => Reflect.has(this.current, name),
    ownKeys: () => Reflect.ownKeys(this.current),
    getOwnPropertyDescriptor: (_, name) => {
      const own = Reflect.getOwnPropertyDescriptor(this.current, name);
      return own && { ...own, configurable: true };
    },
  });

  constructor(private readonly make: () => T | Promise<T>) {}

  async begin(): Promise<void> {
    this.current = await this.make();
    inUse.push(this.current);
  }
}
