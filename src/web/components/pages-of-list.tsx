import { LinkButton } from './button.js';
import { useTexts } from './site.js';

interface PagesOfListProps {
  page: number;
  hasNext: boolean;
  /** Undefined while it is not known. */
  totalPages?: number;
  /** The path of a page. */
  to: (page: number) => string;
}

/** The pagination links of a list; none if all of it is on this page. */
export function PagesOfList({ page, hasNext, totalPages, to }: PagesOfListProps) {
  const t = useTexts();
  if (page === 1 && !hasNext) return null;
  return (
    <nav class="pages" aria-label={t.text('list.pages')}>
      {page === 1 ? (
        <span />
      ) : (
        <LinkButton size="small" to={to(page - 1)}>
          {t.text('list.newer')}
        </LinkButton>
      )}
      <span>
        {totalPages === undefined
          ? t.text('list.pageOnly', { page })
          : t.text('list.page', { page, pages: totalPages })}
      </span>
      {hasNext ? (
        <LinkButton size="small" to={to(page + 1)}>
          {t.text('list.older')}
        </LinkButton>
      ) : (
        <span />
      )}
    </nav>
  );
}
