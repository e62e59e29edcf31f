import { Example } from './example.js';
import { Fields } from './fields.js';
import type { ApiResponse, MediaType } from './open-api.js';
import { examplesOf } from './open-api.js';
import { useTexts } from '../components/site.js';
import { Prose } from './prose.js';

/** The responses of an operation, by status. */
export function Responses({ responses }: { responses: Record<string, ApiResponse> }) {
  return (
    <ul class="responses">
      {Object.entries(responses).map(([status, response]) => (
        <li>
          <strong>{status}</strong> <Prose text={response.description} />
          <Headers headers={response.headers} />
          {Object.entries(response.content ?? {}).map(([type, content]) => (
            <Content type={type} content={content} />
          ))}
        </li>
      ))}
    </ul>
  );
}

function Headers({ headers = {} }: Pick<ApiResponse, 'headers'>) {
  const described = Object.entries(headers);
  if (described.length === 0) return null;
  return (
    <p class="quiet">
      {useTexts().text('docs.headers')}{' '}
      {described.map(([name, { description }], i) => (
        <>
          {i > 0 && '; '}
          <code>{name}</code>
          {description !== undefined && (
            <>
              {' '}
              <Prose text={description} />
            </>
          )}
        </>
      ))}
    </p>
  );
}

function Content({ type, content }: { type: string; content: MediaType }) {
  return (
    <details>
      <summary>
        <code>{type}</code>
      </summary>
      {content.schema && <Fields schema={content.schema} />}
      {examplesOf(content).map(({ value }) => (
        <Example value={value} />
      ))}
    </details>
  );
}
