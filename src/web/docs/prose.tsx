import { useTexts } from '../components/site.js';

/** A text of the OpenAPI document, which is in English. Code spans are the only Markdown that these texts use. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`').map((part, i) => (i % 2 === 0 ? part : <code>{part}</code>));
  return useTexts().language === 'en' ? <>{parts}</> : <span lang="en">{parts}</span>;
}
