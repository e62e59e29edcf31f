/** What is made for tests: an app, a server, an instance, an account. */
type Made = object & { stop?: () => unknown; close?: () => unknown; destroy?: () => unknown };

interface InUse {
  made: Made;
  /** Whether it ends with the test that has made it. */
  isOfTest: boolean;
}

/** What is in use. It ends in the opposite order, so that nothing loses what it needs. */
const inUse: InUse[] = [];

async function endLast(): Promise<void> {
  const made: Made | undefined = inUse.pop()?.made;
  try {
    await made?.stop?.();
    await made?.close?.();
  } finally {
    await made?.destroy?.();
  }
}

/** Ends what a test has made for itself; a setup file calls it after each. */
export async function endThoseOfTest(): Promise<void> {
  while (inUse.at(-1)?.isOfTest) await endLast();
}

async function endThoseOfTestAndLast(): Promise<void> {
  await endThoseOfTest();
  await endLast();
}

/** Makes or starts something once, for all tests of a describe block or of a spec. */
export function forAllTests<T extends object>(make: () => T | Promise<T>): T {
  const later = new Later(make);
  beforeAll(() => later.begin());
  afterAll(endThoseOfTestAndLast);
  return later.value;
}

/** Makes or starts something anew for each test of a describe block or of a spec. */
export function forEachTest<T extends object>(make: () => T | Promise<T>): T {
  const later = new Later(make);
  beforeEach(() => later.begin());
  afterEach(endThoseOfTestAndLast);
  return later.value;
}

/** Ends something with the test that has made it, also if that fails. */
export async function forThisTest<T extends object>(making: Promise<T>): Promise<T> {
  const made = await making;
  inUse.push({ made, isOfTest: true });
  return made;
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
    const entry: InUse = { made: {}, isOfTest: false };
    inUse.push(entry); // also if it cannot be made: what ends last is then nothing else
    entry.made = this.current = await this.make();
  }
}
