import { growthOfTime, LINEAR } from '../../test/support/growth-of-time.js';
import { payloadError } from './payload-errors.js';
import { Problem } from '../platform/errors/problem.js';

const NO_ADDRESS = new Problem('not_a_web_address');
const BLANK = new Problem('blank');

describe('The payload of a text push', () => {
  it('has 1 to 1,048,576 characters, even if each takes two code units', () => {
    expect(payloadError('text', '\u{1f331}'.repeat(1_048_576))).toBeUndefined();
    expect(payloadError('text', '\u{1f331}'.repeat(1_048_577))).toEqual(
      new Problem('too_long', { count: 1048576 }),
    );
    expect(payloadError('text', 'a'.repeat(1_048_577))).toEqual(new Problem('too_long', { count: 1048576 }));
  });

  it.each([[undefined], [''], [' '], ['\t\r\n'], ['\u00a0\u2003\u3000\ufeff']])(
    'is not blank like %j',
    (payload) => {
      expect(payloadError('text', payload)).toEqual(BLANK);
    },
  );

  it.each([['0'], ['\u0000'], [' a '], ['\u200b']])('may be %j', (payload) => {
    expect(payloadError('text', payload)).toBeUndefined();
  });
});

describe('The payload of a QR push', () => {
  it('has 1 to 1024 characters', () => {
    expect(payloadError('qr', '\u{1f331}'.repeat(1024))).toBeUndefined();
    expect(payloadError('qr', 'a'.repeat(1025))).toEqual(new Problem('too_long', { count: 1024 }));
    expect(payloadError('qr', '')).toEqual(BLANK);
  });
});

describe('The payload of a file push', () => {
  it('may be absent', () => {
    expect(payloadError('file', undefined)).toBeUndefined();
    expect(payloadError('file', '')).toBeUndefined();
    expect(payloadError('file', 7)).toEqual(new Problem('not_a_string'));
  });
});

describe('The payload of a URL push', () => {
  it.each([
    'https://example.org',
    'http://example.org/a/b?c=d#e',
    'HTTPS://EXAMPLE.ORG:8443/',
    'https://anna:wooden%20shoe@example.org/',
    'http://[2001:db8::1]/',
    'http://192.0.2.1',
    'https://b\u00fccher.example/\u{1f331}',
    'https://example.org?next=javascript:alert(1)',
  ])('may be %s', (payload) => {
    expect(payloadError('url', payload)).toBeUndefined();
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript://example.org/%0aalert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'ftp://example.org/',
    'blob:https://example.org/1',
    'view-source:https://example.org',
    'mailto:anna@example.org',
  ])('has no scheme other than http and https, as in %j (E2)', (payload) => {
    expect(payloadError('url', payload)).toEqual(NO_ADDRESS);
  });

  it.each([
    'example.org',
    '//example.org',
    '/path',
    'https:',
    'https://',
    'https:example.org',
    'https:/example.org',
    'https:///example.org',
    'https:\\\\example.org',
    'https://example.org\\@evil.example',
    'https://\\evil.example',
    'https://?a',
    'https://#a',
    'https://:443/',
    'https://anna@/',
    'https://example.org:99999/',
    'https://%00/',
    'https://exa<mple.org/',
  ])('is an absolute address, not %j (E2)', (payload) => {
    expect(payloadError('url', payload)).toEqual(NO_ADDRESS);
  });

  it.each([
    ' https://example.org',
    'https://example.org ',
    '\u0001https://example.org',
    'https://example.org/\u0000',
    'https://example.org/\u007f',
    'https://example.org/\u0085',
    'https://example.org/\u00a0',
    '\ufeffhttps://example.org',
  ])('has no spaces around it and no control characters, unlike %j (E2)', (payload) => {
    expect(payloadError('url', payload)).toEqual(NO_ADDRESS);
  });

  it.each(['https://example.org/a b', 'https://exam\nple.org', 'https://example.org/\r\nSet-Cookie: a'])(
    'has no spaces in it, unlike %j (E2)',
    (payload) => {
      expect(payloadError('url', payload)).toEqual(new Problem('web_address_with_space'));
    },
  );

  it('has at most 8192 characters', () => {
    const long = 'https://example.org/'.padEnd(8192, 'a');

    expect(payloadError('url', long)).toBeUndefined();
    expect(payloadError('url', `${long}a`)).toEqual(new Problem('too_long', { count: 8192 }));
  });

  it.each([[undefined], ['']])('is not %j', (payload) => {
    expect(payloadError('url', payload)).toEqual(BLANK);
  });

  it.each(['a@', '%%', '..', '::'])(
    'of many %j is checked in time linear in its length (I5)',
    async (unit) => {
      const url = (count: number) => `https://${unit.repeat(count)}`;

      expect(await growthOfTime(4000, url, (text) => payloadError('url', text))).toBeLessThan(LINEAR);
    },
  );
});
