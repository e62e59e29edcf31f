import type { TextKey } from '../../texts/text-parameters.js';
import { UNTRANSLATED, useTexts } from '../components/site.js';
import { CurlCommands } from './curl-commands.js';
import { Parameters, Prose, Fields } from './fields.js';
import type { Endpoint, TokenUse, MediaType, ApiResponse } from './open-api.js';
import { tokenUse, examplesOf } from './open-api.js';
import { TryOut } from './try-out.js';

const TOKEN: Record<TokenUse, TextKey> = {
  required: 'docs.tokenRequired',
  optional: 'docs.tokenOptional',
  unused: 'docs.tokenUnused',
};

interface EndpointProps {
  endpoint: Endpoint;
  /** Where the commands send their requests. */
  origin: string;
}

/** Everything about one operation. The fragment of its id leads into the content, which opens it. */
export function EndpointSection({ endpoint, origin }: EndpointProps) {
  const { method, path, operation } = endpoint;
  const t = useTexts();
  return (
    <details class="operation">
      <summary>
        <h3>
          <span class="method" {...UNTRANSLATED}>
            {method}
          </span>{' '}
          <code {...UNTRANSLATED}>{path}</code>
        </h3>
        <span class="quiet">
          <Prose text={operation.summary} />
        </span>
      </summary>
      <div id={operation.operationId}>
        <p>
          {operation.description !== undefined && (
            <>
              <Prose text={operation.description} />{' '}
            </>
          )}
          {t.text(TOKEN[tokenUse(operation)])}
        </p>
        {operation.parameters.length > 0 && (
          <>
            <h4>{t.text('docs.parameters')}</h4>
            <Parameters parameters={operation.parameters} />
          </>
        )}
        {operation.requestBody && (
          <>
            <h4>{t.text('docs.body')}</h4>
            <RequestBody content={operation.requestBody.content} />
          </>
        )}
        <h4>{t.text('docs.example')}</h4>
        <CurlCommands endpoint={endpoint} origin={origin} />
        <TryOut endpoint={endpoint} />
        <h4>{t.text('docs.responses')}</h4>
        <Responses responses={operation.responses} />
      </div>
    </details>
  );
}

/** The body of a request, in each of its media types. */
function RequestBody({ content }: { content: Record<string, MediaType> }) {
  const t = useTexts();
  return (
    <>
      {Object.entries(content).map(([type, body]) => (
        <details open={type === 'application/json'}>
          <summary>
            <code {...UNTRANSLATED}>{type}</code>
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

/** The responses of an operation, by status. */
function Responses({ responses }: { responses: Record<string, ApiResponse> }) {
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
          <code {...UNTRANSLATED}>{name}</code>
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
        <code {...UNTRANSLATED}>{type}</code>
      </summary>
      {content.schema && <Fields schema={content.schema} />}
      {examplesOf(content).map(({ value }) => (
        <Example value={value} />
      ))}
    </details>
  );
}

/** An example of a body, as it is sent. */
function Example({ value }: { value: unknown }) {
  return (
    <pre {...UNTRANSLATED}>
      <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code>
    </pre>
  );
}
