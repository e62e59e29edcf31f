import { growthOfTime, LINEAR } from '../../../test/support/growth-of-time.js';
import { noticesError } from '../push/notice-events.js';
import {
  isBlankList,
  mailedToError,
  networksError,
  readRecipients,
  recipientFor,
  recipientsError,
} from './list-fields.js';

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

describe('A list of megabytes', () => {
  const blanks = (items: number, length: number): string[] => Array<string>(items).fill(' '.repeat(length));
  const nested = [[blanks(50, 2500), [blanks(50, 2500)]], blanks(5000, 2500)];

  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['is blank or not', isBlankList],
    ['names who gets mails', mailedToError],
    ['names recipients', recipientsError],
    ['names networks', networksError],
    ['names events', noticesError],
  ])('of blank items is rejected by their number before it is read whether it %s (M4)', (_, check) => {
    let read = 0;
    jest.spyOn(String.prototype, 'trim').mockImplementation(function (this: string) {
      read += this.length;
      return this.replace(/^\s+/, '').replace(/\s+$/, '');
    });
    for (const list of [blanks(5000, 2500), blanks(1000, 13_000), blanks(90, 150_000), nested]) check(list);

    expect(read).toBeLessThan(400_000);
  });

  it('is not taken for an absent one, while a few blank items are', () => {
    for (const check of [mailedToError, recipientsError, networksError]) {
      expect(check(blanks(100, 10))).toBeUndefined();
      expect(check(blanks(101, 0))).toBeDefined();
      expect(check(blanks(1, 2541))).toBeDefined();
    }
    expect(isBlankList(blanks(101, 0))).toBe(false);
    expect(isBlankList([[blanks(50, 1)], [[blanks(50, 1)]]])).toBe(true);
  });
});
