const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** A number of bytes, in the largest unit that fits. */
export function sizeIn(locale: string, bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const number = bytes / 1024 ** power;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: number < 10 ? 1 : 0,
  }).format(number);
}
