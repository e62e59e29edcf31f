import { Button } from './button.js';
import { useTexts } from './site.js';

interface ProgressProps {
  label: string;
  /** The id of the bar, if its label is shown; several on a page only have a name. */
  id?: string;
}

/** The progress of what a script sends or reads, with a button to cancel it. The script shows it: client/page/progress.ts. */
export function Progress({ label, id }: ProgressProps) {
  return (
    <div class="progress" hidden data-upload>
      <span class="row">
        {id !== undefined && <label for={id}>{label}</label>}
        <span class="quiet num" aria-hidden="true" data-percent />
      </span>
      <progress id={id} max={100} value={0} aria-label={id === undefined ? label : undefined} />
      <span class="row">
        <Button type="button" size="small" data-cancel>
          {useTexts().text('progress.cancel')}
        </Button>
      </span>
    </div>
  );
}
