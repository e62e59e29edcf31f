const BYTES_BETWEEN = 4 * 1024 * 1024;
let passed = 0;

/**
 * Tells of so many bytes in buffers that come and go. V8 counts them little, because they lie outside of its heap: after
 * tens of megabytes it looks through all that lives. This has it look at the young alone, and early (decision 22).
 * Without `--expose-gc` nothing is done.
 */
export function buffersPass(bytes: number): void {
  passed += bytes;
  if (passed < BYTES_BETWEEN) return;
  passed = 0;
  globalThis.gc?.({ type: 'minor' });
}
