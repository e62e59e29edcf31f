import decode from 'jsqr';

/** Pixels for each module, as a camera would see it. */
const SCALE = 4;

/** Decodes the QR code in a page: an SVG with this id, in which each `Mx yhNv1h-Nz` is N dark modules. */
export function readQrCode(html: string, id: string): string | undefined {
  const [, size, path] =
    new RegExp(`<svg(?=[^>]* id="${id}")[^>]* viewBox="0 0 (\\d+) \\1"[^>]*>.*? d="([^"]+)"`, 's').exec(
      html,
    ) ?? [];
  if (size === undefined || path === undefined) return undefined;

  const width = Number(size) * SCALE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, count] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    blacken(pixels, width, { x: Number(x), y: Number(y), count: Number(count) });
  return decode(pixels, width, width)?.data;
}

function blacken(
  pixels: Uint8ClampedArray,
  width: number,
  { x, y, count }: { x: number; y: number; count: number },
): void {
  for (let row = y * SCALE; row < (y + 1) * SCALE; row++) {
    for (let column = x * SCALE; column < (x + count) * SCALE; column++) {
      pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
    }
  }
}
