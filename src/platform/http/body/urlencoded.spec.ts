import { growthOfTime, LINEAR } from '../../../../test/support/growth-of-time.js';
import { parseUrlencoded } from './urlencoded.js';

const parse = (text: string) => parseUrlencoded(Buffer.from(text, 'latin1'));

/** The status with which the form is rejected; undefined if it is accepted. */
async function statusOf(text: string): Promise<number | undefined> {
  try {
    await parse(text);
    return undefined;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

describe('An urlencoded form', () => {
  it.each([
    ['a=b', { a: 'b' }],
    ['a=b+c%20d%2b', { a: 'b c d+' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['=b&&&c=d&', { c: 'd' }],
    ['', {}],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['push[payload]=a', { push: { payload: 'a' } }],
    ['push%5Bpayload%5D=a', { push: { payload: 'a' } }],
    ['push[a][b]=1&push[a][c]=2', { push: { a: { b: '1', c: '2' } } }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a=%C3%A9&b=\xc3\xa9', { a: '\u00e9', b: '\u00e9' }],
    ['a=%EF%BF%BD', { a: '\ufffd' }],
    ['\xef\xbb\xbfa=b', { a: 'b' }],
  ])('is read: %s', async (text, expected) => {
    expect(await parse(text)).toEqual(expected);
  });

  it.each(['a=%', 'a=%4', 'a=%4&b=1', 'a=%zz', 'a=%-1', '%zz=a', 'a=%ff', 'a=%c3', 'a=\xff', 'a=%c3\xff'])(
    'is rejected if it cannot be decoded: %s',
    async (text) => {
      expect(await statusOf(text)).toBe(400);
    },
  );

  it.each([0, 1, 2, 3])('has long values decoded exactly, wherever they are cut (%i)', async (shift) => {
    const value = 'x'.repeat(shift) + '\u{1f600}\u00e9 +%'.repeat(100_000);
    const { a, b } = await parse(`a=${encodeURIComponent(value)}&b=1`);

    expect(a === value).toBe(true); // a difference would be printed whole
    expect(b).toBe('1');
  });

  it('is decoded over several turns of the event loop, also if it has many fields (L5)', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await parse(`a=${'x'.repeat(1_000_000)}&`.repeat(10));
    clearImmediate(next);

    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it.each(['%', '%4', '%f0%9f', '%zz'])('is rejected if a long value ends with %s', async (end) => {
    expect(await statusOf(`a=${'%41'.repeat(1_000_000)}${end}`)).toBe(400);
  });

  it('can have at most a thousand fields, names of 1024 characters, and 32 levels', async () => {
    expect(await statusOf(`a=1${'&a=1'.repeat(999)}`)).toBeUndefined();
    expect(await statusOf(`a=1${'&a=1'.repeat(1000)}`)).toBe(413);
    expect(await statusOf('&'.repeat(5000))).toBe(413);
    expect(await statusOf(`${'a'.repeat(1024)}=1`)).toBeUndefined();
    expect(await statusOf(`${'a'.repeat(1025)}=1`)).toBe(413);
    expect(await statusOf(`${'%61'.repeat(1025)}=1`)).toBe(413);
    expect(await statusOf(`a${'[b]'.repeat(32)}=1`)).toBeUndefined();
    expect(await statusOf(`a${'[b]'.repeat(33)}=1`)).toBe(400);
  });

  it('cannot change a prototype', async () => {
    await parse('__proto__[a]=1&constructor[prototype][a]=1&b[__proto__][a]=1&__proto__=1');

    expect(({} as { a?: string }).a).toBeUndefined();
  });

  it.each(['+', '%20', 'a', '%C3%A9', '='])(
    'is read in time linear in the length of %s (L5)',
    async (unit) => {
      const make = (bytes: number) => Buffer.from(`a=${unit.repeat(Math.floor(bytes / unit.length))}`);

      expect(await growthOfTime(2 * 1024 * 1024, make, parseUrlencoded)).toBeLessThan(LINEAR);
    },
  );
});
