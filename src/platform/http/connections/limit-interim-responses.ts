import type { ClientRequest } from 'node:http';

const MAX_INTERIM_RESPONSES = 16;

/** Ends a request to a server that sends interim responses (1xx) and no other: Node reads them without an end. */
export function limitInterimResponses(request: ClientRequest): void {
  let count = 0;
  request.on('information', () => {
    if (++count > MAX_INTERIM_RESPONSES) request.destroy(new Error('There are too many interim responses.'));
  });
}
