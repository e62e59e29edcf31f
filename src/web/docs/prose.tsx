/** A text of the OpenAPI document. Code spans are the only Markdown that these texts use. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 0 ? part : <code>{part}</code>))}</>;
}
