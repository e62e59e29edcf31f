import { Form, useTexts } from './site.js';

interface DeleteFormProps {
  urlToken: string;
  /** Whether the visitor may still want to download files of it. */
  hasFiles?: boolean;
}

/** Deletes a push, after a second click. */
export function DeleteForm({ urlToken, hasFiles = false }: DeleteFormProps) {
  const t = useTexts();
  return (
    <details class="delete">
      <summary>{t.text('delete.summary')}</summary>
      <Form to={`/p/${urlToken}/delete`}>
        {hasFiles && <p>{t.text('delete.filesFirst')}</p>}
        <p>{t.text('delete.warning')}</p>
        <button class="danger">{t.text('delete.submit')}</button>
      </Form>
    </details>
  );
}
