import { useTexts, UNTRANSLATED } from './site.js';

/** The whole link of a push, to be copied by hand or with a button. */
export function LinkToCopy({ url }: { url: string }) {
  const t = useTexts();
  return (
    <div class="copyable">
      <label for="link" class="visually-hidden">
        {t.text('copy.link')}
      </label>
      <div class="row">
        <textarea
          id="link"
          class="whole-link"
          rows={2}
          readOnly
          autocomplete="off"
          spellcheck={false}
          {...UNTRANSLATED}
        >
          {url}
        </textarea>
        <button type="button" hidden data-copy="link">
          {t.text('copy.linkButton')}
        </button>
      </div>
    </div>
  );
}

interface ValueToCopyProps {
  id: string;
  label: string;
  value: string;
}

/** A value that has just been made and is not shown again, to be copied by hand or with a button. */
export function ValueToCopy({ id, label, value }: ValueToCopyProps) {
  const t = useTexts();
  return (
    <section class="card alert" role="status">
      <div class="copyable">
        <label for={id}>{label}</label>
        <div class="row">
          <input id={id} value={value} readOnly autocomplete="off" {...UNTRANSLATED} />
          <button type="button" hidden data-copy={id}>
            {t.text('copy.button')}
          </button>
        </div>
      </div>
    </section>
  );
}
