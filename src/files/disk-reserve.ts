import { statfs } from 'node:fs/promises';
import { StoreUnavailable } from './file-store.js';

const GIB = 1_073_741_824;
const DEFAULT_SHARE = 0.05;

/** Size of a disk in bytes: in total, and available to this process. */
export interface DiskRoom {
  total: number;
  free: number;
}

/** How much of a disk uploads leave free for the database and everything else on it. */
export class DiskReserve {
  /** @param bytes by default 5 % of the disk, and at most 1 GiB */
  constructor(private readonly bytes: number | undefined) {}

  /**
   * @param folder any folder on that disk
   * @throws StoreUnavailable when less is free
   */
  async assertKept(folder: string): Promise<void> {
    const { total, free } = await this.roomOf(folder);
    const reserve = this.bytes ?? Math.min(total * DEFAULT_SHARE, GIB);
    if (free < reserve)
      throw new StoreUnavailable(new Error(`${free} bytes are free, fewer than ${reserve}`));
  }

  protected async roomOf(folder: string): Promise<DiskRoom> {
    const { bsize, blocks, bavail } = await statfs(folder);
    return { total: bsize * blocks, free: bsize * bavail };
  }
}
