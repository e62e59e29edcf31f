import { Commands } from '../components/copy.js';
import type { Endpoint, MediaType } from './open-api.js';
import { examplesOf, tokenUse } from './open-api.js';

interface CurlCommandsProps {
  endpoint: Endpoint;
  origin: string;
}

/** One command for each media type of the body, or one without a body. */
export function CurlCommands({ endpoint, origin }: CurlCommandsProps) {
  const { operationId, requestBody } = endpoint.operation;
  const mediaTypes = requestBody ? Object.keys(requestBody.content) : [undefined];
  return (
    <>
      {mediaTypes.map((mediaType, i) => {
        const id = `${operationId}-curl-${i}`;
        return (
          <Commands key={id} id={id}>
            {curlCommand(endpoint, origin, mediaType)}
          </Commands>
        );
      })}
    </>
  );
}

/** A command that sends an example of a request, with a body of the given media type. */
function curlCommand(endpoint: Endpoint, origin: string, mediaType?: string): string {
  const { method, operation } = endpoint;
  const body = mediaType === undefined ? undefined : operation.requestBody?.content[mediaType];
  const options = [
    ...methodOption(method, body !== undefined),
    ...(tokenUse(operation) === 'required' ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...(mediaType !== undefined && body ? bodyOptions(mediaType, body) : []),
  ];
  return ['curl', ...options, quoted(origin + examplePath(endpoint))].join(' \\\n  ').replace(' \\\n  ', ' ');
}

/** The path with the examples of its parameters. */
function examplePath({ path, operation: { parameters } }: Endpoint): string {
  return path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(parameters.find((parameter) => parameter.name === name)?.example ?? ''),
  );
}

function methodOption(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['-I'];
  return method === 'GET' || (method === 'POST' && hasBody) ? [] : [`-X ${method}`];
}

function bodyOptions(mediaType: string, body: MediaType): string[] {
  const example = examplesOf(body)[0]?.value ?? {};
  if (mediaType === 'application/json')
    return [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(example))}`];
  const option = mediaType === 'multipart/form-data' ? '--form-string' : '--data-urlencode';
  const texts = Object.entries(example).map(([name, value]) => `${option} ${quoted(`${name}=${value}`)}`);
  const files = Object.entries(body.schema?.properties ?? {})
    .filter(([, { items }]) => items?.contentMediaType !== undefined)
    .map(([name]) => `-F ${quoted(`${name}=@a.txt`)}`);
  return [...texts, ...files];
}

/** Quoted for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
