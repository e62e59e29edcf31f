import { usualWordCount, wordLanguage } from '../../shared/generator.js';
import { IconButton } from './button.js';
import { PickOne } from './fields.js';
import { useTexts } from './site.js';

/** A button within the end of a field that fills it with something random. It needs a script. */
export function GenerateButton({ field, label }: { field: string; label: string }) {
  return <IconButton icon="dice" label={label} hidden data-generate={field} />;
}

interface GeneratorProps {
  /** The id of the field that it fills. */
  field: string;
  /** Whether it makes words unless something else is chosen: they can be said on the phone. */
  isOfWords?: boolean;
}

/** Where a script shows the options of a generator, once its button was used, and what has failed. */
export function Generator({ field, isOfWords = false }: GeneratorProps) {
  const language = wordLanguage(useTexts().language);
  return (
    <div
      class="generator"
      data-generator={field}
      data-of={isOfWords ? 'words' : 'characters'}
      data-words={language}
    />
  );
}

/** What each generator of a page has a copy of. */
export function GeneratorOptions() {
  const t = useTexts();
  return (
    <template data-generator-options>
      <details hidden>
        <summary>{t.text('home.generatorOptions')}</summary>
        <div class="row">
          <label>
            {t.text('home.generatorOf')}
            <PickOne data-option="of">
              <option value="characters">{t.text('home.generatorCharacters')}</option>
              <option value="words">{t.text('home.generatorWords')}</option>
            </PickOne>
          </label>
          <label data-of="characters">
            {t.text('home.generatorLength')}
            <input class="input" type="number" data-option="length" min={8} max={64} value={20} />
          </label>
          <label data-of="characters">
            <input type="checkbox" data-option="symbols" checked />
            {t.text('home.generatorSymbols')}
          </label>
          <label data-of="words">
            {t.text('home.generatorCount')}
            <input
              class="input"
              type="number"
              data-option="words"
              min={3}
              max={10}
              value={usualWordCount(wordLanguage(t.language))}
            />
          </label>
        </div>
      </details>
      <p class="hint" role="status" data-status />
    </template>
  );
}
