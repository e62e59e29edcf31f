import type { ExecutionContext } from '@nestjs/common';
import { of } from 'rxjs';
import { growthOfTime } from '../../test/support/growth-of-time.js';
import { FormLinesInterceptor } from './form-lines.interceptor.js';

const MIB = 1024 * 1024;

describe('The lines of a form', () => {
  const taken = (payload: string) => {
    const body = { payload };
    const context = { switchToHttp: () => ({ getRequest: () => ({ body }) }) } as unknown as ExecutionContext;
    new FormLinesInterceptor().intercept(context, { handle: () => of(undefined) });
    return body.payload;
  };

  it('end as they were typed, in the longest text that is taken', () => {
    expect(taken('\r\n'.repeat(MIB))).toBe('\n'.repeat(MIB));
  });

  it('are not looked at in a text that is far too long', async () => {
    const linesOf = (bytes: number) => Buffer.alloc(bytes, '\r\n').toString();

    expect(await growthOfTime(12 * MIB, linesOf, taken)).toBeLessThan(0.2);
  });
});
