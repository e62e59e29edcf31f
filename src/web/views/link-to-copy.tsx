import { useTexts } from './texts.js';

/** The whole link of a push, to be copied by hand or with a button. */
export function LinkToCopy({ url }: { url: string }) {
  const t = useTexts();
  return (
    <div class="copyable">
      <label for="link">{t.text('copy.link')}</label>
      <div class="row">
        <textarea id="link" class="whole-link" rows={2} readOnly autocomplete="off" spellcheck={false}>
          {url}
        </textarea>
        <button type="button" hidden data-copy="link">
          {t.text('copy.linkButton')}
        </button>
      </div>
    </div>
  );
}
