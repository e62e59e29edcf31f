import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import { SHORT_FORM_LIMIT } from '../../http/body/body-limits.js';
import { BodyReader } from '../../http/body/body-reader.js';
import type { FileReceiver } from '../../http/body/file-receiver.js';

/** Rejects every file that was chosen. */
const NO_FILES: FileReceiver = {
  maxFiles: 0,
  maxBytesInFile: 0,
  maxBytes: 0,
  rejectsAtFirstFile: true,
  size: 0,
  accepts: () => {
    throw new SignInNeeded();
  },
  take: () => Promise.reject(new SignInNeeded()),
  tooLargeError: () => new SignInNeeded(),
  error: () => Promise.resolve(undefined),
};

/** Reads the sender's form of a visitor who must sign in first, to show its options again. It receives no file. */
@Injectable()
export class OptionsReader {
  constructor(private readonly reader: BodyReader) {}

  /** Sets `request.body`, unless the form is long or cannot be read. */
  async read(request: Request, response: Response): Promise<void> {
    try {
      request.body = await this.reader.multipart(request, response, SHORT_FORM_LIMIT, NO_FILES);
    } catch (error) {
      if (!(error instanceof SignInNeeded)) request.body = undefined;
    }
  }
}
