import { headers } from './headers.js';
import type { OperationFacts } from './operation.js';
import { ref } from './references.js';
import { answer, response } from './responses.js';

const TUS = headers('Tus-Resumable');
const PROGRESS = { ...TUS, ...headers('Upload-Offset', 'Upload-Expires') };
const address = { schema: { type: 'string', format: 'uri' } };

const inHeader = (name: string, description: string, example: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  example,
  schema: { type: 'string' },
});

const version = inHeader('Tus-Resumable', 'The version of the protocol', '1.0.0');
const checksum = inHeader(
  'Upload-Checksum',
  'Of the body: `sha1` or `sha256`, a space and the digest in base64',
  'sha1 qUqP5cyxm6YcTAhz05Hph5gvu9M=',
  false,
);

const refused = (description: string, error: string) => answer(description, ref('Error'), { error }, TUS);

const OF_VERSION = {
  412: answer(
    'The version of the protocol is another one',
    ref('Error'),
    { error: 'Tus-Resumable must be 1.0.0.' },
    { ...TUS, ...headers('Tus-Version') },
  ),
};

const OF_CHECKSUM = {
  460: refused(
    'The body does not match its checksum',
    'The bytes do not match Upload-Checksum. They were dropped.',
  ),
};

const OF_SPACE = {
  507: refused(
    'There is too little space for the file',
    'There is too little space for this file here. Tell the operator.',
  ),
};

const OF_PART = {
  ...OF_CHECKSUM,
  ...OF_SPACE,
  423: refused(
    'Another request is sending a part',
    'Another request is sending a part of this upload. Try again in a few seconds.',
  ),
};

const differs = refused(
  'The offset is another one',
  'Upload-Offset must be 100: so many bytes have arrived.',
);

const part = {
  content: {
    'application/offset+octet-stream': {
      schema: { type: 'string', contentMediaType: 'application/octet-stream' },
      example: 'correct horse',
    },
  },
};

/** Files in parts, by the protocol tus 1.0. */
export const UPLOAD_OPERATIONS: Record<string, OperationFacts> = {
  'options /api/v2/uploads': {
    id: 'describeUploads',
    tag: 'uploads',
    token: 'ignored',
    description: 'Its headers have the version of the protocol, the extensions and the greatest length.',
    success: {
      204: response('What is supported', {
        ...TUS,
        ...headers('Tus-Version', 'Tus-Extension', 'Tus-Checksum-Algorithm', 'Tus-Max-Size'),
      }),
    },
    refusals: [],
    neverFails: true,
  },
  'post /api/v2/uploads': {
    id: 'beginUpload',
    tag: 'uploads',
    token: 'optional',
    description:
      'The body may have the first part. A push takes the upload by its URL: see `uploads` of POST /api/v2/pushes.',
    parameters: [
      version,
      inHeader('Upload-Length', 'Bytes of the file', '20000000'),
      inHeader(
        'Upload-Metadata',
        'Keys with values in base64: `filename`, `filetype`, and for an answer the url_token of the `request`',
        'filename cmVwb3J0LnBkZg==,filetype YXBwbGljYXRpb24vcGRm',
        false,
      ),
      checksum,
    ],
    requestBody: { required: false, ...part },
    success: {
      201: response('The upload was begun', { ...PROGRESS, Location: address }),
      ...OF_VERSION,
      ...OF_CHECKSUM,
      ...OF_SPACE,
    },
    refusals: [400, 401, 403, 404, 410, 413, 415],
  },
  'head /api/v2/uploads/{id}': {
    id: 'showUpload',
    tag: 'uploads',
    token: 'optional',
    description: 'The next part begins at the offset.',
    parameters: [version],
    success: {
      200: response('How much has arrived', { ...PROGRESS, ...headers('Upload-Length', 'Upload-Metadata') }),
      ...OF_VERSION,
    },
    refusals: [400, 401, 403, 404, 410],
  },
  'patch /api/v2/uploads/{id}': {
    id: 'continueUpload',
    tag: 'uploads',
    token: 'optional',
    description: 'What arrives before the connection breaks is kept, unless there is a checksum.',
    parameters: [version, inHeader('Upload-Offset', 'Bytes that have arrived before', '16777216'), checksum],
    requestBody: { required: true, ...part },
    success: {
      204: response('All of the body is stored', PROGRESS),
      409: differs,
      ...OF_VERSION,
      ...OF_PART,
    },
    refusals: [400, 401, 403, 404, 410, 413, 415],
  },
  'post /api/v2/uploads/{id}': {
    id: 'overrideMethod',
    tag: 'uploads',
    token: 'optional',
    description: 'With `X-HTTP-Method-Override: PATCH` it continues the upload, with DELETE it ends it.',
    parameters: [
      version,
      inHeader('X-HTTP-Method-Override', 'HEAD, PATCH or DELETE', 'PATCH'),
      inHeader('Upload-Offset', 'As with PATCH', '16777216', false),
      checksum,
    ],
    requestBody: { required: false, ...part },
    success: {
      204: response('As with that method', PROGRESS),
      409: differs,
      ...OF_VERSION,
      ...OF_PART,
    },
    refusals: [400, 401, 403, 404, 410, 413, 415],
  },
  'delete /api/v2/uploads/{id}': {
    id: 'endUpload',
    tag: 'uploads',
    token: 'optional',
    description: 'Uploads that no push takes end by themselves, a day after they were begun.',
    parameters: [version],
    success: { 204: response('The upload has ended', TUS), ...OF_VERSION },
    refusals: [400, 401, 403, 404, 410],
  },
};
