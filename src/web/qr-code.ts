import { encode } from 'uqr';

/** For use where no stylesheet sets the size. */
export const PIXELS_PER_MODULE = 8;

/** A QR code to be drawn as an SVG. */
export interface QrCode {
  /** Modules in a row, with the margin. */
  size: number;
  /** Draws the dark modules, each a square of 1. */
  path: string;
}

/** Undefined if the text is too long. */
export function qrCodeOf(text: string): QrCode | undefined {
  try {
    const { data } = encode(text, { ecc: 'L', boostEcc: true, border: 3 });
    return { size: data.length, path: data.map(rowPath).join('') };
  } catch {
    return undefined; // more than 2953 bytes
  }
}

function rowPath(row: boolean[], y: number): string {
  return row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('');
}
