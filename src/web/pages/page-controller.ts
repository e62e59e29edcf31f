import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { ReadsCountedAsPages } from '../../throttling/rate-limit.guard.js';
import { PageInterceptor } from './page.interceptor.js';

/** A controller whose handlers return pages. */
export const PageController = () =>
  applyDecorators(Controller(), UseInterceptors(PageInterceptor), ReadsCountedAsPages());
