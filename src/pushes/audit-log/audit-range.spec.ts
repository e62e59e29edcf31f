import { AuditRange } from './audit-log.service.js';

describe('A range of the audit log', () => {
  it('starts at the first entry and has 1000, unless the client says otherwise', () => {
    expect(AuditRange.parse(undefined, undefined)).toEqual({ after: 0, limit: 1000 });
    expect(AuditRange.parse('0', '1')).toEqual({ after: 0, limit: 1 });
    expect(AuditRange.parse('999999999999999', '10000')).toEqual({
      after: 999_999_999_999_999,
      limit: 10_000,
    });
  });

  it.each(
    [
      ['', '-1', '1.5', '01', '1e3', ' 1', '0x1', 'abc', '9'.repeat(16), ['1', '2'], { gt: '1' }, null],
    ].flat(),
  )('refuses to start after %j', (after) => {
    expect(() => AuditRange.parse(after, undefined)).toThrow('audit_after_malformed');
  });

  it.each([['', '0', '-1', '10001', '1.5', '9'.repeat(400), ['1', '2'], {}]].flat())(
    'refuses to have %j entries',
    (limit) => {
      expect(() => AuditRange.parse(undefined, limit)).toThrow('audit_limit_out_of_range');
    },
  );
});
