const UNITS = ['', 'KiB', 'MiB', 'GiB', 'TiB'];
const STEP = 1024;

/**
 * A number of bytes, in the largest unit that fits: powers of 1024 for files and limits alike, because operators set
 * 104857600 for 100 MiB. It is rounded down, so that no limit is reported as larger than it is.
 */
export function sizeIn(locale: string, bytes: number): string {
  let power = 0;
  while (power + 1 < UNITS.length && bytes >= STEP ** (power + 1)) power++;
  if (power === 0)
    return new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(bytes);
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, roundingMode: 'trunc' });
  return `${number.format(bytes / STEP ** power)} ${UNITS[power] ?? ''}`;
}
