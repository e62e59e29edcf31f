import {
  BadRequestException,
  PayloadTooLargeException,
  RequestTimeoutException,
  ServiceUnavailableException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { TooManyRequests } from '../errors/too-many-requests.js';

const RETRY_AFTER_SECONDS = 10;

/** Does not include the parser's own message, which quotes the input. */
export const malformedBody = () => new BadRequestException('The body is not well-formed.');

export const bodyTooLarge = () =>
  new PayloadTooLargeException('The body is too large. Files may be larger when sent as multipart.');

export const tooManyFields = () => new PayloadTooLargeException('The form has too many or too large fields.');

export const compressedBody = () => new UnsupportedMediaTypeException('The body must not be compressed.');

export const unsupportedCharset = () => new UnsupportedMediaTypeException('The charset must be UTF-8.');

export const bodyTooSlow = () => new RequestTimeoutException('Sending the body took too long.');

export const networkShareExceeded = () =>
  new TooManyRequests('requests', 'Too many unfinished requests. Try again later.', RETRY_AFTER_SECONDS);

export const bodyMemoryExceeded = () =>
  new ServiceUnavailableException('The service is too busy to read the body. Try again in a few seconds.');
