import type { TextKey } from '../../texts/en.js';
import { useTexts } from '../components/site.js';
import { Responses } from './responses.js';
import { CurlCommands } from './curl-commands.js';
import { Parameters } from './fields.js';
import type { Endpoint, TokenUse } from './open-api.js';
import { tokenUse } from './open-api.js';
import { Prose } from './prose.js';
import { RequestBody } from './request-body.js';
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
          <span class="method">{method}</span> <code>{path}</code>
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
