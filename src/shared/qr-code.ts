import { encode } from 'uqr';

const PIXELS_PER_MODULE = 8;

/** A QR code to be drawn as an SVG. */
export interface QrCode {
  /** Modules in a row, with the margin. */
  size: number;
  /** Width and height, for use where no stylesheet sets them. */
  pixels: number;
  /** Draws the dark modules, of which each is a square of 1. */
  path: string;
}

/** An empty QR code, which a script draws. */
export const EMPTY_QR_CODE = drawn(1, '');

/** The QR code of a text; undefined if the text is too long. */
export function qrCodeOf(text: string): QrCode | undefined {
  try {
    const { data } = encode(text, { ecc: 'L', boostEcc: true, border: 3 });
    return drawn(data.length, data.map(rowPath).join(''));
  } catch {
    return undefined; // more than 2953 bytes
  }
}

function drawn(size: number, path: string): QrCode {
  return { size, pixels: size * PIXELS_PER_MODULE, path };
}

/** Dark modules beside each other are one rectangle. */
function rowPath(row: boolean[], y: number): string {
  const modules = row.map((isDark) => (isDark ? '#' : ' ')).join('');
  const runs = Array.from(modules.matchAll(/#+/g), ({ index, 0: run }) => [index, run.length]);
  return runs.map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`).join('');
}
