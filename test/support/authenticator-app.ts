import { createGuardrails, generate } from 'otplib';
import { Authenticator } from '../../src/auth/entities/authenticator.entity.js';
import { Session } from '../../src/auth/entities/session.entity.js';
import { HOUR_MS, SECOND_MS } from '../../src/platform/settings/units.js';
import type { PageClient, SignedInUser } from './page-client.js';
import type { RunningApp } from './start-app.js';

/** An account's authenticator app, and its recovery codes. */
export interface AuthenticatorApp {
  secret: string;
  recoveryCodes: string[];
}

/** Imported secrets may be short. */
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10 });

/** The code that an app shows in a number of steps of 30 seconds from now. */
export function codeOf(secret: string, stepsAhead = 0, now = new Date()): Promise<string> {
  return generate({ secret, epoch: Math.floor(now.getTime() / SECOND_MS) + stepsAhead * 30, guardrails });
}

/** The secret and the hidden field of the page that offers an app. */
export function offeredIn(body: string): { secret: string; state: string } {
  return {
    secret: /<input(?=[^>]*id="app-key")[^>]*value="([A-Z2-7]+)"/.exec(body)?.[1] ?? '',
    state: /name="state" value="([^"]+)"/.exec(body)?.[1] ?? '',
  };
}

export function recoveryCodesIn(body: string): string[] {
  return body.match(/\b[0-9a-f]{5}(-[0-9a-f]{5}){3}\b/g) ?? [];
}

/** Sets up an app on the pages, as a person does. */
export async function addApp(pageClient: PageClient): Promise<AuthenticatorApp> {
  const { secret, state } = offeredIn((await pageClient.get('/users/second_factor')).body);
  const fields = { state, new_code: await codeOf(secret) };
  const { status, body } = await pageClient.post('/users/second_factor/authenticator', fields);
  if (status !== 201) throw new Error(`the app was not added: ${status}`);
  return { secret, recoveryCodes: recoveryCodesIn(body) };
}

/** A code that has not been used: as if time had passed since the last one. */
export async function freshCode(
  { dataSource }: RunningApp,
  { id }: SignedInUser,
  secret: string,
): Promise<string> {
  await dataSource.manager.update(Authenticator, { userId: id }, { lastStep: 1 });
  return codeOf(secret);
}

/** Makes the last reauthentication of an account's sessions older than those who change the account may have. */
export async function makeAuthenticationsOld(
  { dataSource }: RunningApp,
  { id }: { id: string },
): Promise<void> {
  await dataSource.manager.update(Session, { userId: id }, { provenAt: new Date(Date.now() - HOUR_MS) });
}
