import { createSecretKey } from 'node:crypto';
import type { Epochs } from '../platform/sealing/chunk-seal.js';
import { ChunkSeal } from '../platform/sealing/chunk-seal.js';
import { seal, unseal } from '../platform/sealing/secretbox.js';
import type { StoredFile } from './file.entity.js';

/** What has sealed the content of a file that arrived before its push. */
export interface ContentKey {
  key: Buffer;
  epochs: Epochs;
}

/** Seals the key of the content of a file with the data key of its push. */
export function sealContentKey(fileId: string, { key, epochs }: ContentKey, dataKey: Buffer): Buffer {
  const content = JSON.stringify({ key: key.toString('base64'), epochs });
  return seal(createSecretKey(dataKey), content, contextOf(fileId));
}

/**
 * Unseals the content of a file.
 * @throws UnsealError
 */
export function contentSeal(
  { id, contentKey }: Pick<StoredFile, 'id' | 'contentKey'>,
  dataKey: Buffer,
): ChunkSeal {
  if (contentKey === null) return new ChunkSeal(dataKey, id);
  const content = unseal(createSecretKey(dataKey), contentKey, contextOf(id)).toString();
  const { key, epochs } = JSON.parse(content) as { key: string; epochs: Epochs };
  return new ChunkSeal(Buffer.from(key, 'base64'), id, epochs);
}

function contextOf(fileId: string): string {
  return `file/${fileId}/contentKey`;
}
