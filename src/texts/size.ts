const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
const BINARY_UNITS = ['', 'KiB', 'MiB', 'GiB', 'TiB'];
const STEP = 1000;
const BINARY_STEP = 1024;
/** A binary unit with a larger number before it says less than a rounded decimal one. */
const MAX_SHOWN = 10_000;

/**
 * A number of bytes, in the largest unit that fits. It is rounded down, so that no limit is reported as larger than it
 * is.
 */
export function sizeIn(locale: string, bytes: number): string {
  const power = powerOf(bytes, STEP, UNITS.length);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
    roundingMode: 'trunc',
  }).format(bytes / STEP ** power);
}

/** A limit in bytes, in the unit in which an operator has probably set it: 104857600 is 100 MiB, not 104.8 MB. */
export function limitIn(locale: string, bytes: number): string {
  const power = BINARY_UNITS.findLastIndex((_, i) => bytes % BINARY_STEP ** i === 0);
  const isBinary = power > 0 && bytes / BINARY_STEP ** power < MAX_SHOWN && !isShownExactly(bytes);
  if (!isBinary) return sizeIn(locale, bytes);
  return `${(bytes / BINARY_STEP ** power).toLocaleString(locale)} ${BINARY_UNITS[power] ?? ''}`;
}

/** The power of the largest unit that fits. */
function powerOf(bytes: number, step: number, units: number): number {
  let power = 0;
  while (power + 1 < units && bytes >= step ** (power + 1)) power++;
  return power;
}

/** Whether a decimal unit with one decimal place is exact. */
function isShownExactly(bytes: number): boolean {
  return (bytes * 10) % STEP ** powerOf(bytes, STEP, UNITS.length) === 0;
}
