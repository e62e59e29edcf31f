import { Input } from './fields.js';
import { Layout } from './layout.js';
import { PostForm } from './site.js';

/** The page behind a delete link. A script moves the key from the link into the form. */
export function DeletePush({ urlToken }: { urlToken: string }) {
  return (
    <Layout title="Delete this push" script="delete-push">
      <div class="narrow">
        <h1>Delete this push</h1>
        <p class="lede">Nobody will be able to open it again. This cannot be undone.</p>
        <PostForm to={`/p/${urlToken}/delete`} class="card" id="delete-push">
          <Input
            name="delete_key"
            label="Delete key"
            hint="The last part of the delete link, after the #."
            autocomplete="off"
            spellcheck={false}
            required
          />
          <button class="wide danger">Delete</button>
        </PostForm>
      </div>
    </Layout>
  );
}
