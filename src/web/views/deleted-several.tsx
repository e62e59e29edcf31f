import type { SeveralDeleted } from '../../pushes/own/own-push-list.js';
import { Layout } from './layout.js';
import { Link } from './site.js';
import { useTexts } from './texts.js';

/** What became of the pushes that an owner selected. */
export function DeletedSeveral({ outcome: { deleted, unknown } }: { outcome: SeveralDeleted }) {
  const t = useTexts();
  const title = t.text('deletedSeveral.title', { count: deleted });
  return (
    <Layout title={title}>
      <div class="narrow message">
        <h1>{title}</h1>
        {unknown > 0 && <p>{t.text('deletedSeveral.unknown', { count: unknown })}</p>}
        <p class="actions">
          <Link to="/pushes">{t.text('audit.back')}</Link>
        </p>
      </div>
    </Layout>
  );
}
