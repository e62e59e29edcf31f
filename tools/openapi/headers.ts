import type { Json } from './references.js';

const text = { type: 'string' };
const whole = { type: 'string', pattern: '^[0-9]+$' };

/** Headers of several responses, by their names. */
export const HEADERS = {
  'X-Request-Id': { description: 'Also in the log of the installation', schema: text },
  'Retry-After': { description: 'Seconds to wait', schema: whole },

  // of a page of a list
  'X-Page': { description: 'This page', schema: whole },
  'X-Per-Page': { description: 'Entries per page', schema: whole },
  'X-Total': { description: 'Number of all entries, at most 10000', schema: whole },
  'X-Total-Pages': { description: '1 to 200', schema: whole },
  Link: { description: 'RFC 8288: first, prev, next and last page', schema: text },

  // of a download
  ETag: { description: 'For `If-Range`, when a download is resumed', schema: text },
  'Accept-Ranges': { schema: { type: 'string', const: 'bytes' } },
  'Content-Disposition': { description: 'Always an attachment; has the name', schema: text },

  // of uploads in parts
  'Tus-Resumable': { schema: { type: 'string', const: '1.0.0' } },
  'Tus-Version': { schema: { type: 'string', const: '1.0.0' } },
  'Tus-Extension': { description: 'With commas between them', schema: text },
  'Tus-Checksum-Algorithm': { description: 'With commas between them', schema: text },
  'Tus-Max-Size': { description: 'Bytes that a file may have, at most', schema: whole },
  'Upload-Offset': { description: 'Bytes that have arrived', schema: whole },
  'Upload-Length': { description: 'Bytes that the file has', schema: whole },
  'Upload-Expires': { description: 'When the upload ends, unless a push takes it', schema: text },
  'Upload-Metadata': { description: 'As it was sent', schema: text },

  // for pages of other origins
  'Access-Control-Allow-Origin': { schema: { type: 'string', const: '*' } },
  'Access-Control-Allow-Methods': { schema: { type: 'string', const: 'POST' } },
  'Access-Control-Allow-Headers': {
    schema: { type: 'string', const: 'Content-Type, Authorization, X-User-Email, X-User-Token' },
  },
};

/** References to these headers. */
export function headers(...names: (keyof typeof HEADERS)[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const PAGED = headers('X-Page', 'X-Per-Page', 'X-Total', 'X-Total-Pages', 'Link');
