import { useTexts } from '../components/site.js';
import { Example } from './example.js';
import { Fields } from './fields.js';
import type { MediaType } from './open-api.js';
import { examplesOf } from './open-api.js';
import { Prose } from './prose.js';

/** The body of a request, in each of its media types. */
export function RequestBody({ content }: { content: Record<string, MediaType> }) {
  const t = useTexts();
  return (
    <>
      {Object.entries(content).map(([type, body]) => (
        <details open={type === 'application/json'}>
          <summary>
            <code>{type}</code>
          </summary>
          {body.schema && <Fields schema={body.schema} />}
          {examplesOf(body).map(({ summary, value }) => (
            <>
              <p class="quiet">{summary === undefined ? t.text('docs.example') : <Prose text={summary} />}</p>
              <Example value={value} />
            </>
          ))}
        </details>
      ))}
    </>
  );
}
