const FIRST_BYTES = 64 * 1024;

/** Copies pieces that arrive into one buffer: kept apart, thousands of tiny pieces would take many times their size. */
export class GrowingBuffer {
  private bytes: Buffer = Buffer.allocUnsafeSlow(0);
  private length = 0;

  /** @param max the maximum number of bytes */
  constructor(private readonly max: number) {}

  /**
   * Bytes of memory that the buffer takes after adding `more` bytes: twice as many, or `max` if that is not much more,
   * so that no more than half of them is ever copied.
   */
  capacityWith(more: number): number {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return this.bytes.length;
    const doubled = Math.max(FIRST_BYTES, 2 * this.bytes.length);
    return Math.max(needed, doubled > this.max / 2 ? this.max : doubled);
  }

  add(piece: Buffer): void {
    const capacity = this.capacityWith(piece.length);
    if (capacity > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(capacity);
      this.bytes.copy(larger, 0, 0, this.length);
      free(this.bytes);
      this.bytes = larger;
    }
    this.length += piece.copy(this.bytes, this.length);
  }

  /** All bytes, not copied. */
  get all(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** Gives its memory back at once, not when it is collected. Nothing else may use the same memory. */
export function free({ buffer }: Buffer): void {
  (buffer as ArrayBuffer).transfer(0);
}
