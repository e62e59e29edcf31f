const UNITS = ['', 'kB', 'MB', 'GB', 'TB'];
const STEP = 1024;

/**
 * A number of bytes, in the largest unit that fits, rounded to one decimal. A unit is 1024 of the one before for files and
 * limits alike, because operators set 104857600 for 100 MB: a file of exactly a limit reads as the limit does.
 */
export function sizeIn(locale: string, bytes: number): string {
  const power = powerOf(bytes);
  const { inBytes, inUnits } = formatsOf(locale);
  const words =
    power === 0 ? inBytes.format(bytes) : `${inUnits.format(rounded(bytes, power))} ${UNITS[power] ?? ''}`;
  return words.replace(' ', NO_BREAK_SPACE);
}

/** The same for a size above a limit, rounded up where both would read alike. */
export function sizeAbove(limit: number, locale: string, bytes: number): string {
  const words = sizeIn(locale, bytes);
  return words === sizeIn(locale, limit) ? sizeIn(locale, bytes + STEP ** powerOf(bytes) / 10) : words;
}

const NO_BREAK_SPACE = '\u00a0';

function powerOf(bytes: number): number {
  let power = 0;
  while (power + 1 < UNITS.length && rounded(bytes, power) >= STEP) power++;
  return power;
}

function rounded(bytes: number, power: number): number {
  return Math.round((10 * bytes) / STEP ** power) / 10;
}

const formats = new Map<string, { inBytes: Intl.NumberFormat; inUnits: Intl.NumberFormat }>();

/** Made once for each locale, which takes longer than their use. */
function formatsOf(locale: string) {
  const known = formats.get(locale) ?? {
    inBytes: new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' }),
    inUnits: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
  };
  formats.set(locale, known);
  return known;
}
