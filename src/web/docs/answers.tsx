import { Example } from './example.js';
import { Fields } from './fields.js';
import type { Answer, MediaType } from './open-api.js';
import { examplesOf } from './open-api.js';
import { useTexts } from '../views/texts.js';
import { Prose } from './prose.js';

/** The responses of an operation, by status. */
export function Answers({ responses }: { responses: Record<string, Answer> }) {
  return (
    <ul class="answers">
      {Object.entries(responses).map(([status, answer]) => (
        <li>
          <strong>{status}</strong> <Prose text={answer.description} />
          <Headers headers={answer.headers} />
          {Object.entries(answer.content ?? {}).map(([type, content]) => (
            <Content type={type} content={content} />
          ))}
        </li>
      ))}
    </ul>
  );
}

function Headers({ headers = {} }: Pick<Answer, 'headers'>) {
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
