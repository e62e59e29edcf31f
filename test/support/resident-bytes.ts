import { readFileSync } from 'node:fs';

/** The resident memory of a process. */
export function residentBytes(pid: number | undefined): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
