import { createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import type { Upload } from '../../files/upload.js';

/** A request whose files PushBodyInterceptor has stored. */
export type UploadRequest = Request & { upload?: Upload };

/** The files that came as parts of a form, as a parameter of a controller's method; undefined when there are none. */
export const CurrentUpload = createParamDecorator(
  (_: unknown, context) => context.switchToHttp().getRequest<UploadRequest>().upload,
);
