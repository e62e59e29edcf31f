import type { ComponentChildren } from 'preact';
import { useTexts } from '../texts.js';

interface GeneratorProps {
  /** The id of the field that it fills. */
  field: string;
  label: string;
  children?: ComponentChildren;
}

/** Offers to fill a field with something random. It needs a script, which shows it. */
export function Generator({ field, label, children }: GeneratorProps) {
  const t = useTexts();
  return (
    <div class="generator" hidden data-generator={field}>
      <div class="tools">
        <button type="button" class="secondary small" data-generate>
          {label}
        </button>
        {children}
        <button type="button" class="secondary small" hidden data-undo>
          {t.text('home.undo')}
        </button>
      </div>
      <details>
        <summary>{t.text('home.generatorOptions')}</summary>
        <div class="options">
          <label>
            {t.text('home.generatorOf')}
            <select data-option="of">
              <option value="characters">{t.text('home.generatorCharacters')}</option>
              <option value="words">{t.text('home.generatorWords')}</option>
            </select>
          </label>
          <label data-of="characters">
            {t.text('home.generatorLength')}
            <input type="number" data-option="length" min={8} max={64} value={20} />
          </label>
          <label data-of="characters" class="tick">
            <input type="checkbox" data-option="symbols" checked />
            {t.text('home.generatorSymbols')}
          </label>
          <label data-of="words" hidden>
            {t.text('home.generatorCount')}
            <input type="number" data-option="words" min={3} max={10} value={5} />
          </label>
        </div>
      </details>
      <p class="hint" role="status" data-status />
    </div>
  );
}
