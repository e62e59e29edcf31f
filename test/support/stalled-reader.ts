import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';

/** Starts a download and stops reading it. */
export function stalledReader(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.pause();
      response.on('error', () => undefined);
      resolve(response);
    }).once('error', reject);
  });
}
