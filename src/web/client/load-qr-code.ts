import { preload } from './load-script.js';

/** Set by scripts/bundle-pages.mjs. */
declare const QR_CODE_INTEGRITY: string;

/** Loads what draws QR codes in the browser. */
export async function loadQrCode(): Promise<typeof import('./qr-code.js')> {
  await preload(new URL('qr-code.js', import.meta.url), QR_CODE_INTEGRITY);
  return import('./qr-code.js');
}
