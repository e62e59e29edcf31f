import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** Sends content as fast as the client reads it. Content that fails breaks the connection. */
export async function sendContent(content: Readable, response: Response): Promise<void> {
  if (response.destroyed) {
    content.destroy(); // the client disconnected while the content was being opened
  } else {
    await pipeline(content, response).catch(ignoreDisconnect);
  }
}

/** A client that disconnects early is not a server error. */
function ignoreDisconnect(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
