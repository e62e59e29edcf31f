import { Button, SummaryButton } from './button.js';
import { Form, useTexts } from './site.js';

interface DeleteFormProps {
  urlToken: string;
  /** How many files of it the visitor may still want to download. */
  files?: number;
  /** Of a sender without an account; empty, and the form is hidden, until a script knows it. */
  deleteKey?: string;
}

/** Deletes a push, after a second click. */
export function DeleteForm({ urlToken, files = 0, deleteKey }: DeleteFormProps) {
  const t = useTexts();
  return (
    <details hidden={deleteKey === ''} data-delete>
      <SummaryButton look="quiet danger" icon="trash">
        {t.text(files > 1 ? 'delete.summaryFiles' : 'delete.summary')}
      </SummaryButton>
      <Form to={`/p/${urlToken}/delete`} class="fold-body">
        {deleteKey !== undefined && <input type="hidden" name="delete_key" value={deleteKey} />}
        {files > 0 && <p>{t.text('delete.filesFirst')}</p>}
        <p>{t.text('delete.warning')}</p>
        <Button look="danger">{t.text('delete.submit')}</Button>
      </Form>
    </details>
  );
}
