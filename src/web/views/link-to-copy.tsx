import { useTexts } from './texts.js';

/** The link of a push, to be copied by hand or with a button. */
export function LinkToCopy({ url }: { url: string }) {
  const t = useTexts();
  return (
    <div class="copyable">
      <label for="link">{t.text('copy.link')}</label>
      <div class="row">
        <input id="link" value={url} readOnly autocomplete="off" />
        <button type="button" hidden data-copy="link">
          {t.text('copy.linkButton')}
        </button>
      </div>
    </div>
  );
}
