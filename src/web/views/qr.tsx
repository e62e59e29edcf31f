import { encode } from 'uqr';

/** A text as a QR code; nothing when it is too long for one. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const modules = modulesOf(text);
  if (!modules) return null;
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${modules.length} ${modules.length}`}>
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
