import { Input } from './fields.js';
import { Layout } from './layout.js';
import { PostForm } from './site.js';
import { useTexts } from './texts.js';

/** The page behind a delete link. A script moves the key from the link into the form. */
export function DeletePush({ urlToken }: { urlToken: string }) {
  const t = useTexts();
  return (
    <Layout title={t.text('deleteLink.page')} script="delete-push">
      <div class="narrow">
        <h1>{t.text('deleteLink.page')}</h1>
        <p class="lede">{t.text('delete.warning')}</p>
        <PostForm to={`/p/${urlToken}/delete`} class="card" id="delete-push">
          <Input
            name="delete_key"
            label={t.text('deleteLink.key')}
            hint={t.text('deleteLink.keyHint')}
            autocomplete="off"
            spellcheck={false}
            required
          />
          <button class="wide danger">{t.text('delete.submit')}</button>
        </PostForm>
      </div>
    </Layout>
  );
}
