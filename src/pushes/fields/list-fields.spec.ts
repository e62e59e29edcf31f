import { growthOfTime, LINEAR } from '../../../test/support/growth-of-time.js';
import { readRecipients, recipientFor, recipientsError } from './list-fields.js';

describe('A list of recipients', () => {
  it('has addresses and domains as they are stored', () => {
    expect(readRecipients(' Ada@Example.org ,@EXAMPLE.com')).toEqual(['ada@example.org', '@example.com']);
    expect(readRecipients('ada@example.org،@example.com，@example.net、bob@example.org')).toHaveLength(4);
    expect(readRecipients(['\uff21da@example.org'])).toEqual(['ada@example.org']);
  });

  it.each([undefined, null, '', ' ', [], [''], [[], ' ']])('is absent when it is %j', (value) => {
    expect(recipientsError(value)).toBeUndefined();
    expect(readRecipients(value)).toBeUndefined();
  });

  it('names an address before its domain, and nobody else', () => {
    const recipients = ['ada@example.org', '@example.org', '@example.com'];

    expect(recipientFor('ada@example.org', recipients)).toBe('ada@example.org');
    expect(recipientFor('bob@example.org', recipients)).toBe('@example.org');
    for (const other of ['bob@a.example.com', 'bob@example.net', 'bob', '', '@', 'ada@example.org@x'])
      expect(recipientFor(other, recipients)).toBeUndefined();
  });

  it('is checked in time linear in its length (M4)', async () => {
    const make = (bytes: number) => ({ list: ['a@example.org', ' '.repeat(bytes)] });

    expect(
      await growthOfTime(256 * 1024, make, ({ list }) => Promise.resolve(recipientsError(list))),
    ).toBeLessThan(LINEAR);
  });
});
