import { AsyncLocalStorage } from 'node:async_hooks';
import { userInfo } from 'node:os';
import { clientAddress } from '../http/visitor.js';
import { requestContext } from '../logging/log.js';
import type { InstanceAuditEntry } from './instance-audit-entry.entity.js';

/** An account, as entries name it. */
export interface NamedAccount {
  id: string;
  email: string;
}

export interface Actor extends Pick<
  InstanceAuditEntry,
  'actorType' | 'actorId' | 'actor' | 'ip' | 'userAgent'
> {
  isAdministrator: boolean;
}

const NOBODY = { actorId: null, actor: '', ip: '', userAgent: '', isAdministrator: false };
const MAX_USER_AGENT = 255;

const commandContext = new AsyncLocalStorage<true>();

/** Runs the work of a command: what it records names the user of the operating system. */
export function asCommand<T>(work: () => T): T {
  return commandContext.run(true, work);
}

const providerContext = new AsyncLocalStorage<string>();

/** Does what a sign-in provider has caused, whoever came from it: what is recorded names the provider. */
export function asProvider<T>(name: string, work: () => T): T {
  return providerContext.run(name, work);
}

/** Who acts now: the provider that has caused it, the account or the visitor whose request is being handled, a command, or else the service. */
export function currentActor(): Actor {
  const request = requestContext.getStore()?.request.deref();
  if (!request) {
    return commandContext.getStore()
      ? { ...NOBODY, actorType: 'command', actor: systemUser() }
      : { ...NOBODY, actorType: 'service' };
  }
  const { user } = request;
  const client = { ip: clientAddress(request), userAgent: shortened(request.headers['user-agent'] ?? '') };
  const provider = providerContext.getStore();
  if (provider !== undefined) return { ...NOBODY, ...client, actorType: 'provider', actor: provider };
  return user
    ? { ...client, ...accountActor(user), isAdministrator: user.administrator }
    : { ...NOBODY, ...client, actorType: 'visitor' };
}

export function accountActor({ id, email }: NamedAccount): Pick<Actor, 'actorType' | 'actorId' | 'actor'> {
  return { actorType: 'account', actorId: id, actor: email };
}

/** A container may run as a user that has no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

function shortened(text: string): string {
  return text.length <= MAX_USER_AGENT ? text : Array.from(text).slice(0, MAX_USER_AGENT).join('');
}
