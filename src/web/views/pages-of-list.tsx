import type { Paged } from '../../http/page.js';
import { Link } from './site.js';

/** The pagination links of a list. */
export function PagesOfList({ list, path }: { list: Paged<unknown>; path: string }) {
  const { prev, next } = list.links;
  if (prev === undefined && next === undefined) return null;
  return (
    <nav class="pages" aria-label="Pages of the list">
      {prev === undefined ? <span /> : <Link to={`${path}?page=${prev}`}>← Newer</Link>}
      <span class="quiet">{`Page ${list.page} of ${list.totalPages}`}</span>
      {next === undefined ? <span /> : <Link to={`${path}?page=${next}`}>Older →</Link>}
    </nav>
  );
}
