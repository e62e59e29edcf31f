import type { QrCode } from '../../shared/qr-code.js';

/** Draws a QR code into an SVG that the server has left empty. */
export function drawQrCode(svg: Element, { size, pixels, path }: QrCode): void {
  for (const side of ['width', 'height']) svg.setAttribute(side, String(pixels));
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.querySelector('path')?.setAttribute('d', path);
}
