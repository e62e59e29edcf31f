import type { PushDto } from '../../pushes/push/push.dto.js';
import { useTexts } from './texts.js';

interface DeleteLinkProps {
  push: PushDto;
  /** The delete key. Without it the section is hidden until a script finds the key in the fragment of the page. */
  deleteKey: string | undefined;
}

/** The link with which a sender without an account may delete a push. The key is in its fragment: it is never sent. */
export function DeleteLink({ push, deleteKey }: DeleteLinkProps) {
  const t = useTexts();
  const page = `${push.html_url.replace(/\/r$/, '')}/delete`;
  return (
    <section class="card" hidden={deleteKey === undefined} data-delete-link={page}>
      <h2>{t.text('deleteLink.title')}</h2>
      <p>{t.text('deleteLink.intro')}</p>
      <p>
        <input
          id="delete-link"
          aria-label={t.text('deleteLink.title')}
          readonly
          value={deleteKey === undefined ? '' : `${page}#${deleteKey}`}
        />
      </p>
      <button type="button" class="secondary" hidden data-copy="delete-link">
        {t.text('deleteLink.copy')}
      </button>
    </section>
  );
}
