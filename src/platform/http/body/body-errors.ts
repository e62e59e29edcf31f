import {
  BadRequestException,
  PayloadTooLargeException,
  RequestTimeoutException,
  ServiceUnavailableException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { TooManyRequests } from '../errors/too-many-requests.js';
import { Problem } from '../../errors/problem.js';
import { SECOND_MS } from '../../settings/units.js';

const RETRY_AFTER_MS = 10 * SECOND_MS;

/** Does not include the parser's own message, which quotes the input. */
export const malformedBody = () => new BadRequestException(new Problem('body_malformed'));

export const notUtf8 = () => new BadRequestException(new Problem('body_not_utf8'));

export const bodyTooLarge = () => new PayloadTooLargeException(new Problem('body_too_large'));

export const tooManyFields = () => new PayloadTooLargeException(new Problem('too_many_fields'));

export const compressedBody = () => new UnsupportedMediaTypeException(new Problem('body_compressed'));

export const unsupportedCharset = () => new UnsupportedMediaTypeException(new Problem('charset_unsupported'));

export const bodyTooSlow = () => new RequestTimeoutException(new Problem('body_too_slow'));

export const networkShareExceeded = () =>
  new TooManyRequests('requests', new Problem('too_many_unfinished_requests'), RETRY_AFTER_MS);

export const bodyMemoryExceeded = () => new ServiceUnavailableException(new Problem('too_busy_for_body'));
