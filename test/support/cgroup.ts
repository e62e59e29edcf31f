import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';

/**
 * A memory cgroup of either version with so many bytes, and the file that lists its processes; undefined where none can
 * be made.
 */
export function makeCgroup(bytes: number): { path: string; processes: string } | undefined {
  const versions = { '/sys/fs/cgroup': 'memory.max', '/sys/fs/cgroup/memory': 'memory.limit_in_bytes' };
  for (const [root, limit] of Object.entries(versions)) {
    if (!existsSync(`${root}/cgroup.procs`)) continue;
    const path = `${root}/sealpush-${randomUUID()}`;
    try {
      mkdirSync(path);
      writeFileSync(`${path}/${limit}`, String(bytes), { flag: 'r+' });
      return { path, processes: `${path}/cgroup.procs` };
    } catch {
      if (existsSync(path)) rmdirSync(path);
    }
  }
  return undefined;
}
