import { useTexts } from '../components/site.js';
import { curlCommand } from './curl.js';
import type { Endpoint } from './open-api.js';

interface CurlCommandsProps {
  endpoint: Endpoint;
  origin: string;
}

/** One command for each media type of the body, or one without a body. */
export function CurlCommands({ endpoint, origin }: CurlCommandsProps) {
  const t = useTexts();
  const { operationId, requestBody } = endpoint.operation;
  const mediaTypes = requestBody ? Object.keys(requestBody.content) : [undefined];
  return (
    <>
      {mediaTypes.map((mediaType, i) => {
        const id = `${operationId}-curl-${i}`;
        return (
          <div class="curl">
            <pre id={id}>{curlCommand(endpoint, origin, mediaType)}</pre>
            <button type="button" class="small secondary" hidden data-copy={id}>
              {t.text('copy.button')}
            </button>
          </div>
        );
      })}
    </>
  );
}
