import type { FileRules } from '../../../files/file-rules.js';
import { errorText } from '../../language/error-texts.js';
import type { FieldErrors } from '../fields.js';
import { Field } from '../fields.js';
import { useTexts } from '../texts.js';

interface FilesProps {
  rules: FileRules;
  errors?: FieldErrors;
}

/**
 * The field of files. It is last in the form, because fields after a rejected file would not be read. A script shows
 * the rest of the field further up, and checks the limits as files are chosen.
 */
export function Files({ rules, errors }: FilesProps) {
  const t = useTexts();
  return (
    <Field
      name="files"
      label={t.text('home.files')}
      hint={t.text('home.filesHint', { count: rules.maxFiles, size: t.size(rules.maxBytesInFile) })}
      errors={errors}
    >
      <input
        type="file"
        id="files"
        name="push[files][]"
        multiple
        aria-describedby="files-hint"
        data-max-files={rules.maxFiles}
        data-max-bytes={rules.maxBytesInFile}
        data-max-bytes-in-all={rules.maxBytesInPush}
        data-too-many={errorText(rules.tooManyFiles, t)}
        data-too-large={errorText(rules.fileTooLarge, t)}
        data-too-large-in-all={errorText(rules.pushTooLarge, t)}
      />
      <div class="drop" hidden data-drop>
        <button type="button" class="secondary small" aria-describedby="files-hint" data-choose>
          {t.text('home.chooseFiles')}
        </button>
        <span class="hint">{t.text('home.dropFiles')}</span>
      </div>
      <ul class="files chosen" hidden aria-live="polite" data-chosen />
      <p class="live-error" aria-live="polite" data-files-error />
    </Field>
  );
}
