import { ServiceUnavailableException } from '@nestjs/common';

/** Lets a few heavy tasks run at a time; further ones wait in line, and beyond a bound they are refused. */
export class BoundedQueue {
  private running = 0;
  private readonly line: (() => void)[] = [];

  constructor(
    private readonly mostRunning: number,
    private readonly mostWaiting: number,
  ) {}

  /** @throws ServiceUnavailableException when the line is full */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < this.mostRunning) {
      this.running += 1;
    } else if (this.line.length < this.mostWaiting) {
      await new Promise<void>((resolve) => this.line.push(resolve)); // whoever leaves hands the place on
    } else {
      throw new ServiceUnavailableException('The server is busy. Try again in a few seconds.');
    }
  }

  private leave(): void {
    const next = this.line.shift();
    if (next) {
      next();
    } else {
      this.running -= 1;
    }
  }
}
