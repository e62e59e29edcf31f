/** Counts what passes through, and lets one of it meet with a mishap. */
export class Turnstile<Mishap> {
  private passed: string[] = [];
  private awaited?: { index: number; mishap: Mishap };

  /** What passes through while some work is done. */
  async passingIn(work: () => Promise<unknown>): Promise<string[]> {
    this.passed = [];
    await work();
    return this.passed;
  }

  /** Does the work, in which the one of this index, counted from 0, has a mishap. */
  async withMishap<T>(index: number, mishap: Mishap, work: () => Promise<T>): Promise<T> {
    this.passed = [];
    this.awaited = { index, mishap };
    try {
      return await work();
    } finally {
      this.awaited = undefined;
    }
  }

  /** Lets one through; gives back what is to befall it, if anything. */
  pass(name: string): Mishap | undefined {
    const index = this.passed.push(name) - 1;
    if (this.awaited?.index !== index) return undefined;
    const { mishap } = this.awaited;
    this.awaited = undefined;
    return mishap;
  }
}
