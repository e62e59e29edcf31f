import type { OwnPushDto } from '../../pushes/push.dto.js';
import { useTexts } from './texts.js';

interface DeleteLinkProps {
  push: OwnPushDto;
  deleteKey: string;
}

/** The link with which a sender without an account may delete a push. The key is in its fragment: it is never sent. */
export function DeleteLink({ push, deleteKey }: DeleteLinkProps) {
  const t = useTexts();
  const base = push.html_url.replace(/\/r$/, '');
  return (
    <section class="card">
      <h2>{t.text('deleteLink.title')}</h2>
      <p>{t.text('deleteLink.intro')}</p>
      <p>
        <input
          id="delete-link"
          aria-label={t.text('deleteLink.title')}
          readonly
          value={`${base}/delete#${deleteKey}`}
        />
      </p>
      <button type="button" class="secondary" hidden data-copy="delete-link">
        {t.text('deleteLink.copy')}
      </button>
    </section>
  );
}
