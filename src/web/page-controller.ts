import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { ReadsNotThrottled } from '../common/flood.guard.js';
import { PageInterceptor } from './page.interceptor.js';

/** A controller whose handlers answer pages. */
export const PageController = () =>
  applyDecorators(Controller(), UseInterceptors(PageInterceptor), ReadsNotThrottled());
