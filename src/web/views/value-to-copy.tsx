import { useTexts } from './texts.js';

interface ValueToCopyProps {
  id: string;
  label: string;
  value: string;
}

/** A value that has just been made and is not shown again, to be copied by hand or with a button. */
export function ValueToCopy({ id, label, value }: ValueToCopyProps) {
  const t = useTexts();
  return (
    <section class="card notice" role="status">
      <div class="copyable">
        <label for={id}>{label}</label>
        <div class="row">
          <input id={id} value={value} readOnly autocomplete="off" />
          <button type="button" hidden data-copy={id}>
            {t.text('copy.button')}
          </button>
        </div>
      </div>
    </section>
  );
}
