import type { ListedPush } from '../../pushes/owner-lists/own-push-list.js';
import { State } from './dashboard.js';
import { Layout } from './layout.js';
import { nameOf } from './own-list.js';
import { Link, PostForm } from './site.js';
import { useTexts } from './texts.js';

/** Asks whether the pushes that an owner selected shall be deleted. */
export function DeleteSeveral({ pushes, next }: { pushes: ListedPush[]; next: string }) {
  const t = useTexts();
  const title = t.text('deleteSeveral.title', { count: pushes.length });
  return (
    <Layout title={title}>
      <div class="narrow">
        <h1>{title}</h1>
        {pushes.length > 0 && <p class="lede">{t.text('deleteSeveral.warning')}</p>}
        <ul class="rows">
          {pushes.map(({ push, reference }) => (
            <li key={reference}>
              <div class="what">
                <strong>{nameOf(push, t)}</strong>
                <span class="quiet">
                  <State push={push} />
                </span>
              </div>
            </li>
          ))}
        </ul>
        <PostForm to="/pushes/delete" class="tools after-list">
          <input type="hidden" name="confirmed" value="yes" />
          <input type="hidden" name="next" value={next} />
          {pushes.map(({ reference }) => (
            <input key={reference} type="hidden" name="url_tokens" value={reference} />
          ))}
          {pushes.length > 0 && <button class="danger">{t.text('delete.submit')}</button>}
          <Link to={next} role="button" class="secondary">
            {t.text('deleteSeveral.keep')}
          </Link>
        </PostForm>
      </div>
    </Layout>
  );
}
