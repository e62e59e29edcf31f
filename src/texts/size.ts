const UNITS = ['', 'KiB', 'MiB', 'GiB', 'TiB'];
const STEP = 1024;

/**
 * A number of bytes, in the largest unit that fits: powers of 1024 for files and limits alike, because operators set
 * 104857600 for 100 MiB. It is rounded down, so that no limit is reported as larger than it is.
 */
export function sizeIn(locale: string, bytes: number): string {
  let power = 0;
  while (power + 1 < UNITS.length && bytes >= STEP ** (power + 1)) power++;
  const { inBytes, inUnits } = formatsOf(locale);
  return power === 0
    ? inBytes.format(bytes)
    : `${inUnits.format(bytes / STEP ** power)} ${UNITS[power] ?? ''}`;
}

const formats = new Map<string, { inBytes: Intl.NumberFormat; inUnits: Intl.NumberFormat }>();

/** Made once for each locale, which takes longer than their use. */
function formatsOf(locale: string) {
  const known = formats.get(locale) ?? {
    inBytes: new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' }),
    inUnits: new Intl.NumberFormat(locale, { maximumFractionDigits: 1, roundingMode: 'trunc' }),
  };
  formats.set(locale, known);
  return known;
}
