/** An example of a body, as it is sent. */
export function Example({ value }: { value: unknown }) {
  return (
    <pre>
      <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code>
    </pre>
  );
}
