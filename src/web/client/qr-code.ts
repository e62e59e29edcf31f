import { PIXELS_PER_MODULE, qrCodeOf } from '../qr-code.js';

/** Draws a text as a QR code into an SVG that the server has left empty. */
export function drawQrCode(svg: Element, text: string): void {
  const code = qrCodeOf(text);
  if (!code) return;
  const pixels = String(code.size * PIXELS_PER_MODULE);
  svg.setAttribute('width', pixels);
  svg.setAttribute('height', pixels);
  svg.setAttribute('viewBox', `0 0 ${code.size} ${code.size}`);
  svg.querySelector('path')?.setAttribute('d', code.path);
}
