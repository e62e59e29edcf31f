import type { EntityManager } from 'typeorm';
import { insertUnlessDuplicate } from '../../platform/database/statements/statements.js';
import type { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { digestOf } from '../../platform/random/random.js';
import { HOUR_MS } from '../../platform/settings/units.js';
import { EMAIL_LINK_MS } from '../entities/email-link.entity.js';
import { SignInMark } from '../entities/sign-in-mark.entity.js';

/** Longer than a sign-in that waits for two steps can be finished, and than a logout token is accepted. */
const KEPT_MS = EMAIL_LINK_MS + HOUR_MS;

/** False when the same was used before, by any process. */
export async function useOnceWithin(manager: EntityManager, id: string, now: Date): Promise<boolean> {
  return insertUnlessDuplicate(manager, SignInMark, markOf(['used', id], now, now));
}

/** Ends what has begun until `endedAt` with an identity, or a session of its provider. */
export async function endBegunWith(
  unitOfWork: UnitOfWork,
  manager: EntityManager,
  origin: string,
  endedAt: Date,
  now: Date,
): Promise<void> {
  const { digest, endedAt: before } = await lockedMark(unitOfWork, manager, origin, now);
  if (before < endedAt) await manager.update(SignInMark, { digest }, { endedAt });
}

/** Whether what began then with an identity, or a session of its provider, has not ended. It cannot end until the commit. */
export async function isInForceWithin(
  unitOfWork: UnitOfWork,
  manager: EntityManager,
  origin: string,
  begunAt: Date,
  now: Date,
): Promise<boolean> {
  return (await lockedMark(unitOfWork, manager, origin, now)).endedAt < begunAt;
}

/** Whoever ends and whoever finishes sign-ins of the same origin wait for each other, also before there is a row. */
async function lockedMark(
  unitOfWork: UnitOfWork,
  manager: EntityManager,
  origin: string,
  now: Date,
): Promise<SignInMark> {
  const mark = markOf(['ended', origin], new Date(0), now);
  await manager
    .createQueryBuilder()
    .insert()
    .into(SignInMark)
    .values(mark)
    .orUpdate(['kept_until'], ['digest'])
    .execute();
  return (await unitOfWork.findForUpdate(manager, SignInMark, { digest: mark.digest })) ?? mark;
}

function markOf(what: [kind: string, id: string], endedAt: Date, now: Date): SignInMark {
  const keptUntil = new Date(now.getTime() + KEPT_MS);
  return { digest: digestOf(JSON.stringify(what)), endedAt, keptUntil };
}
