import { Administrators } from '../../src/auth/users/administrators.service.js';
import type { Member } from './page-client.js';
import { newMember } from './page-client.js';
import type { RunningApp } from './start-app.js';

/** Creates an administrator with a password and signs in. */
export async function newAdministrator(running: RunningApp): Promise<Member> {
  const member = await newMember(running);
  await running.app.get(Administrators).promote(member);
  return member;
}

/** The path of the link that a page shows for choosing a password. */
export function passwordPath(body: string): string {
  return /\/users\/password\/[\w-]{43}/.exec(body)?.[0] ?? '';
}
