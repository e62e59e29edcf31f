import { PROTOCOL } from '../../../packages/client/src/uploads/upload-in-parts.js';

/** Bytes that the server has of an upload; undefined if it does not say so. */
export async function sentOf(path: string): Promise<number | undefined> {
  try {
    const { ok, headers } = await fetch(path, { method: 'HEAD', headers: PROTOCOL });
    return ok ? Number(headers.get('Upload-Offset') ?? 0) : undefined;
  } catch {
    return undefined;
  }
}

/** The page may be closed meanwhile. */
export function deleteUpload(path: string): void {
  fetch(path, { method: 'DELETE', headers: PROTOCOL, keepalive: true }).catch(() => undefined);
}
