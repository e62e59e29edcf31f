import { createHash } from 'node:crypto';
import { tally } from './audit-kinds.js';
import type { Client } from './client.js';

/** A line of GET /api/v2/audit. */
export interface AuditLine {
  id: number;
  push: string;
  push_kind: string;
  kind: string;
  ip: string;
  user_agent: string;
  referrer: string;
  by_owner: boolean;
  file?: number;
  created_at: string;
  digest: string;
}

/** The lines of an account's audit log. */
export async function auditLines(client: Client, query = ''): Promise<AuditLine[]> {
  const { status, body } = await client.get(`/api/v2/audit${query}`);
  if (status !== 200) throw new Error(`no audit log: ${status}`);
  return linesOf(body as string);
}

export function linesOf(text: string): AuditLine[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditLine);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The digests that the lines of some text must have, by the rule of docs/api.md, which looks only at the text. */
export function expectedDigests(text: string): string[] {
  const last = new Map<string, string>();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const { push } = JSON.parse(line) as AuditLine;
      const digest = sha256((last.get(push) ?? '') + line.replace(/,"digest":"[0-9a-f]{64}".*$/, '}'));
      last.set(push, digest);
      return digest;
    });
}

/** How many lines there are of each kind. */
export function linesOfKind(lines: AuditLine[]): Record<string, number> {
  return tally(lines.map(({ kind }) => kind));
}
