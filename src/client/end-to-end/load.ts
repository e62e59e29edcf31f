import { EndToEndError } from './end-to-end-error.js';

/** Set by scripts/bundle-pages.mjs. */
declare const END_TO_END_INTEGRITY: string;

export type EndToEnd = typeof import('./end-to-end.js');

/** Whether this browser can encrypt and decrypt. On pages loaded over plain HTTP it has no `crypto.subtle`. */
export function isEndToEndAvailable(): boolean {
  return isSecureContext && typeof Worker === 'function' && typeof TransformStream === 'function';
}

/**
 * Loads the scripts that encrypt and decrypt, at the first call.
 * @throws EndToEndError
 */
export async function loadEndToEnd(): Promise<EndToEnd> {
  try {
    await preload(new URL('end-to-end.js', import.meta.url), END_TO_END_INTEGRITY);
    return await import('./end-to-end.js');
  } catch {
    throw new EndToEndError('unavailable');
  }
}

/** Loads a script only if it has its digest, which `import` alone does not check. */
async function preload({ href }: URL, integrity: string): Promise<void> {
  const link = document.createElement('link');
  if (!link.relList.supports('modulepreload')) return;
  Object.assign(link, { rel: 'modulepreload', href, integrity });
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', reject);
    document.head.append(link);
  });
}
