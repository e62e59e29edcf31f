import { OwnPushFilter } from '../../pushes/owner-lists/own-push-filter.js';

/** The path of a page of an owner's list, with only what differs from the list of the path. */
export function listPath(
  path: string,
  { searched, state, kind, before }: OwnPushFilter,
  page: number,
): string {
  const meant = OwnPushFilter.stateFor(searched, path.endsWith('/expired') ? 'expired' : 'active');
  const query = new URLSearchParams({
    ...(searched.sealed && { search: searched.sealed }),
    ...(state !== meant && { state }),
    ...(kind && { kind }),
    ...(before !== undefined && { before }),
    ...(page > 1 && { page: `${page}` }),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
}
