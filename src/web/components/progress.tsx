import { useTexts } from './site.js';

interface ProgressProps {
  label: string;
  /** The id of the bar, if its label is shown; several on a page only have a name. */
  id?: string;
}

/** The progress of what a script sends or reads, with a button to cancel it. The script shows it: client/page/progress.ts. */
export function Progress({ label, id }: ProgressProps) {
  return (
    <div class="upload" hidden data-upload>
      {id !== undefined && <label for={id}>{label}</label>}
      <div class="bar">
        <progress id={id} max={100} value={0} aria-label={id === undefined ? label : undefined} />
        <span aria-hidden="true" data-percent />
      </div>
      <button type="button" class="secondary small" data-cancel>
        {useTexts().text('progress.cancel')}
      </button>
    </div>
  );
}
