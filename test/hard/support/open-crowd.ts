import { Connections } from './connections.js';
import type { CostlyCrowd } from './costly-crowds.js';
import { bytesOf } from './costly-request.js';
import type { Fixtures } from './fixtures.js';

let crowds = 0;

/** Opens the connections of a crowd, with addresses that were not used before, and sends its requests. */
export function openCrowd(
  url: string,
  fixtures: Fixtures,
  { isOneClient, size, times = 1, isRead, ...request }: CostlyCrowd,
): Promise<Connections> {
  crowds += 1;
  const body = request.body?.();
  const clients = Array.from({ length: size }, (_, index) => {
    const address = `10.${crowds >> 8}.${crowds & 255}.${isOneClient ? 1 : index}`;
    const bytes = bytesOf({ ...request, body: body && (() => body) }, fixtures, address, false);
    return { bytes: Buffer.concat(Array<Buffer>(times).fill(bytes)), isRead };
  });
  return Connections.open(url, clients);
}
