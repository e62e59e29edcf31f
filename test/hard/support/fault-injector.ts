/** Counts what passes through, and lets one of it meet with a injected. */
export class FaultInjector<InjectedFault> {
  private passed: string[] = [];
  private awaited?: { index: number; injected: InjectedFault };

  /** What passes through while some work is done. */
  async passingIn(work: () => Promise<unknown>): Promise<string[]> {
    this.passed = [];
    await work();
    return this.passed;
  }

  /** Does the work, in which the one of this index, counted from 0, has a injected. */
  async withFault<T>(index: number, injected: InjectedFault, work: () => Promise<T>): Promise<T> {
    this.passed = [];
    this.awaited = { index, injected };
    try {
      return await work();
    } finally {
      this.awaited = undefined;
    }
  }

  /** Lets one through; gives back what is to apply it, if anything. */
  pass(name: string): InjectedFault | undefined {
    const index = this.passed.push(name) - 1;
    if (this.awaited?.index !== index) return undefined;
    const { injected } = this.awaited;
    this.awaited = undefined;
    return injected;
  }
}
