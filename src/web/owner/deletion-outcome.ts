import type { DeletionOutcome } from '../../pushes/owner-lists/own-push-list.js';

const NUMBER = /^\d{1,2}$/;

/** A path of a list that says what was deleted. */
export function withDeletionOutcome(path: string, { deleted, unknown }: DeletionOutcome): string {
  const [pathname = '', query] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('deleted', `${deleted}`);
  parameters.set('unknown', `${unknown}`);
  return `${pathname}?${parameters.toString()}`;
}

/** What was deleted, in the query of a list; undefined if it does not say so. */
export function deletionOutcomeIn({
  deleted,
  unknown,
}: Record<string, unknown>): DeletionOutcome | undefined {
  const numbers = [deleted, unknown].map((text) =>
    typeof text === 'string' && NUMBER.test(text) ? Number(text) : undefined,
  );
  const [deletedCount, unknownCount] = numbers;
  if (deletedCount === undefined || unknownCount === undefined) return undefined;
  return { deleted: deletedCount, unknown: unknownCount };
}
