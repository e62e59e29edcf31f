/** Records calls, and injects a fault into one of them. */
export class FaultInjector<Fault> {
  private calls: string[] = [];
  private next?: { index: number; fault: Fault };

  /** Runs the work, and returns the names of the calls it made. */
  async callsOf(work: () => Promise<unknown>): Promise<string[]> {
    this.calls = [];
    await work();
    return this.calls;
  }

  /** Runs the work, and injects the fault into its call with this index, counted from 0. */
  async withFault<T>(index: number, fault: Fault, work: () => Promise<T>): Promise<T> {
    this.calls = [];
    this.next = { index, fault };
    try {
      return await work();
    } finally {
      this.next = undefined;
    }
  }

  /** Records a call, and returns the fault to inject into it, if any. */
  record(name: string): Fault | undefined {
    const index = this.calls.push(name) - 1;
    if (this.next?.index !== index) return undefined;
    const { fault } = this.next;
    this.next = undefined;
    return fault;
  }
}
