import { useTexts } from '../texts.js';

/** A link whose script decrypts what it downloads. Name and size are in what the script has decrypted before. */
export function EncryptedFile({ url }: { url: string }) {
  const t = useTexts();
  return (
    <li>
      <a href={url} />
      <span class="quiet" data-size />
      <div class="upload" hidden data-upload>
        <div class="bar">
          <progress max={100} value={0} aria-label={t.text('endToEnd.progress')} />
          <span aria-hidden="true" data-percent />
        </div>
        <button type="button" class="secondary small" data-cancel>
          {t.text('endToEnd.cancel')}
        </button>
      </div>
    </li>
  );
}
