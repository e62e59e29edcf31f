const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
const STEP = 1000;

/**
 * A number of bytes, in the largest unit that fits. It is rounded down, so that no limit is reported as larger than it
 * is.
 */
export function sizeIn(locale: string, bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
    roundingMode: 'trunc',
  }).format(bytes / STEP ** power);
}
