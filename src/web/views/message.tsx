import type { ComponentChildren } from 'preact';
import { Layout } from './layout.js';
import { Link } from './site.js';

/** A page with a single message. */
export function Message({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Layout title={title}>
      <div class="narrow message">
        <h1>{title}</h1>
        {children}
        <p class="actions">
          <Link to="/">To the front page</Link>
        </p>
      </div>
    </Layout>
  );
}

/** The same for a push that has ended, was deleted or never existed, so that these cannot be told apart. */
export function Gone() {
  return (
    <Message title="This link does not work">
      <p>
        Its secret was opened as often as it may be, its time is over, it was deleted, or the address is not
        complete.
      </p>
      <p>Ask whoever sent you the link for a new one.</p>
    </Message>
  );
}

export function Deleted() {
  return (
    <Message title="Deleted for good">
      <p>The secret is gone, and its link does not work any more.</p>
    </Message>
  );
}
