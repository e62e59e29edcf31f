import type { OwnPushDto } from '../../pushes/push.dto.js';

interface DeleteLinkProps {
  push: OwnPushDto;
  deleteKey: string;
}

/** The link with which a sender without an account may delete a push. The key is in its fragment: it is never sent. */
export function DeleteLink({ push, deleteKey }: DeleteLinkProps) {
  const base = push.html_url.replace(/\/r$/, '');
  return (
    <section class="card">
      <h2>Delete link</h2>
      <p>With this link you can delete the push at any time. Keep it: it is shown only once.</p>
      <p>
        <input id="delete-link" aria-label="Delete link" readonly value={`${base}/delete#${deleteKey}`} />
      </p>
      <button type="button" class="secondary" hidden data-copy="delete-link">
        Copy delete link
      </button>
    </section>
  );
}
