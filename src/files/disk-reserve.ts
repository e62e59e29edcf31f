import { statfs } from 'node:fs/promises';
import type { DiskSpace, ReservedDiskSpace } from './file-store.js';
import { ReserveReached, StoreUnavailable } from './file-store.js';

const GIB = 1_073_741_824;
const DEFAULT_SHARE = 0.05;

/** How much of a disk uploads leave free for the database and everything else on it. */
export class DiskReserve {
  /** @param bytes by default 5 % of the disk, and at most 1 GiB */
  constructor(private readonly bytes: number | undefined) {}

  /**
   * @param folder any folder on that disk
   * @throws StoreUnavailable when less is free
   */
  async assertKept(folder: string): Promise<void> {
    const { free, reserve } = await this.measure(folder);
    if (free < reserve)
      throw new StoreUnavailable(new ReserveReached(`${free} bytes are free, fewer than ${reserve}`), true);
  }

  /** @param folder any folder on that disk */
  async measure(folder: string): Promise<ReservedDiskSpace> {
    const space = await this.spaceOf(folder);
    return { ...space, reserve: this.bytes ?? Math.min(space.total * DEFAULT_SHARE, GIB) };
  }

  protected async spaceOf(folder: string): Promise<DiskSpace> {
    const { bsize, blocks, bavail } = await statfs(folder);
    return { total: bsize * blocks, free: bsize * bavail };
  }
}
