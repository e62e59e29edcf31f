import type { Paged } from '../../http/paging/page.js';
import { Link } from './site.js';
import { useTexts } from './texts.js';

/** The pagination links of a list. */
export function PagesOfList({ list, path }: { list: Paged<unknown>; path: string }) {
  const t = useTexts();
  const { prev, next } = list.links;
  if ((prev === undefined && next === undefined) || list.page > list.totalPages) return null;
  return (
    <nav class="pages" aria-label={t.text('list.pages')}>
      {prev === undefined ? <span /> : <Link to={`${path}?page=${prev}`}>{t.text('list.newer')}</Link>}
      <span class="quiet">{t.text('list.page', { page: list.page, pages: list.totalPages })}</span>
      {next === undefined ? <span /> : <Link to={`${path}?page=${next}`}>{t.text('list.older')}</Link>}
    </nav>
  );
}
