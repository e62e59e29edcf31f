import type { InputHTMLAttributes, VNode } from 'preact';
import { Button } from './button.js';
import { ErrorTexts } from './fields.js';
import { useForm } from './filled-form.js';
import { useTexts } from './site.js';

type FileFieldProps = Omit<InputHTMLAttributes, 'class' | 'type' | 'icon'> & {
  name: string;
  hint: string;
  /** Why files cannot be chosen yet. */
  notice?: VNode;
  isHidden?: boolean;
  input: InputHTMLAttributes & Record<`data-${string}`, string | number | undefined>;
};

/**
 * The field of files. A script hides the browser's own field, and shows where files can be dropped and those that were
 * chosen, each with its size and a button that removes it: client/sender/files.ts.
 */
export function FileField({ name, hint, notice, isHidden, input }: FileFieldProps) {
  const t = useTexts();
  const problems = useForm().errors?.[name];
  return (
    <div class="field" data-field={name} hidden={isHidden}>
      <label class="label" for={name}>
        {t.text('home.files')}
      </label>
      {notice}
      <input
        class="input"
        type="file"
        id={name}
        multiple
        aria-describedby={problems ? `${name}-error ${name}-hint` : `${name}-hint`}
        {...input}
      />
      <div class="drop" hidden data-drop>
        <Button type="button" size="small" icon="upload" aria-describedby={`${name}-hint`} data-choose>
          <span data-unless-files>{t.text('home.chooseFiles')}</span>
          <span hidden data-with-files>
            {t.text('home.addFiles')}
          </span>
        </Button>
        <span class="quiet small" data-unless-files>
          {t.text('home.dropFiles')}
        </span>
        <span class="quiet small" hidden data-with-files>
          {t.text('home.dropMore')}
        </span>
      </div>
      <ul class="files" hidden aria-live="polite" data-chosen />
      {problems && <ErrorTexts id={`${name}-error`} problems={problems} />}
      <div aria-live="polite" data-files-error />
      <p class="hint" id={`${name}-hint`}>
        <span data-files-sum />
        {hint}
      </p>
    </div>
  );
}
