import { PostForm } from './site.js';
import { useTexts } from './texts.js';

/** Deletes a push, after a second click. */
export function DeleteForm({ urlToken }: { urlToken: string }) {
  const t = useTexts();
  return (
    <details class="delete">
      <summary>{t.text('delete.summary')}</summary>
      <PostForm to={`/p/${urlToken}/delete`}>
        <p>{t.text('delete.warning')}</p>
        <button class="danger">{t.text('delete.submit')}</button>
      </PostForm>
    </details>
  );
}
