const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;

/**
 * Decodes `%41` and `+` in place, in linear time.
 * @returns the beginning of the same memory; undefined if a `%` is not followed by two hexadecimal digits
 */
export function decodePercent(bytes: Buffer): Buffer | undefined {
  const { length } = bytes;
  let to = 0;
  for (let from = 0; from < length; from++) {
    let byte = bytes[from] as number;
    if (byte === PLUS) {
      byte = SPACE;
    } else if (byte === PERCENT) {
      byte = (hexDigit(bytes[from + 1]) << 4) | hexDigit(bytes[from + 2]);
      if (byte < 0) return undefined;
      from += 2;
    }
    bytes[to++] = byte;
  }
  return bytes.subarray(0, to);
}

/** @returns -1 if it is not a hexadecimal digit */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
