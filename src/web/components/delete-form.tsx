import { Form, useTexts } from './site.js';

/** Deletes a push, after a second click. */
export function DeleteForm({ urlToken }: { urlToken: string }) {
  const t = useTexts();
  return (
    <details class="delete">
      <summary>{t.text('delete.summary')}</summary>
      <Form to={`/p/${urlToken}/delete`}>
        <p>{t.text('delete.warning')}</p>
        <button class="danger">{t.text('delete.submit')}</button>
      </Form>
    </details>
  );
}
