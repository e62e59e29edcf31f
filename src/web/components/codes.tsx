import { Button } from './button.js';
import { useTexts, UNTRANSLATED } from './site.js';

interface CodesToKeepProps {
  id: string;
  label: string;
  codes: string[];
  /** What they are saved as. */
  fileName: string;
}

/** Codes that are not shown again, with what keeps them, which needs a script. */
export function CodesToKeep({ id, label, codes, fileName }: CodesToKeepProps) {
  const t = useTexts();
  return (
    <>
      <pre class="secret codes" id={id} role="group" tabIndex={0} aria-label={label} {...UNTRANSLATED}>
        {codes.join('\n')}
      </pre>
      <div class="share-row">
        <Button type="button" icon="download" hidden data-save={id} data-file-name={fileName}>
          {t.text('codes.save')}
        </Button>
        <Button type="button" icon="copy" hidden data-copy={id}>
          {t.text('copy.button')}
        </Button>
        <Button type="button" icon="print" hidden data-print>
          {t.text('codes.print')}
        </Button>
      </div>
    </>
  );
}
