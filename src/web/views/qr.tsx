import { encode } from 'uqr';

/** For use where no stylesheet sets the size. */
const PIXELS_PER_MODULE = 8;

/**
 * A text as a QR code; nothing if it is too long for one. A browser extension extracts the SVG from the page and draws
 * it as a standalone image, which needs a namespace and a size.
 */
export function QrCode({ text, label, id }: { text: string; label: string; id?: string }) {
  const modules = modulesOf(text);
  if (!modules) return null;
  const { length } = modules;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      id={id}
      class="qr"
      role="img"
      aria-label={label}
      width={length * PIXELS_PER_MODULE}
      height={length * PIXELS_PER_MODULE}
      viewBox={`0 0 ${length} ${length}`}
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path fill="#000" d={modules.map(rowPath).join('')} />
    </svg>
  );
}

export function fitsQrCode(text: string): boolean {
  return modulesOf(text) !== undefined;
}

function modulesOf(text: string): boolean[][] | undefined {
  try {
    return encode(text, { ecc: 'L', boostEcc: true, border: 3 }).data;
  } catch {
    return undefined; // more than 2953 bytes
  }
}

function rowPath(row: boolean[], y: number): string {
  return row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('');
}
