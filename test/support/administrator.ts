import { AdministratorsService } from '../../src/auth/users/administrators.service.js';
import type { SignedInUser } from './page-client.js';
import { newSignedInUser } from './page-client.js';
import type { RunningApp } from './start-app.js';

/** Creates an administrator with a password and signs in. */
export async function newAdministrator(running: RunningApp): Promise<SignedInUser> {
  const member = await newSignedInUser(running);
  await running.app.get(AdministratorsService).promote(member);
  return member;
}

/** The path of the link that a page shows for choosing a password. */
export function passwordPath(body: string): string {
  return /\/users\/password\/[\w-]{43}/.exec(body)?.[0] ?? '';
}
