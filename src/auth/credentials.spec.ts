import { readToken } from './credentials.js';

describe('The token of a request', () => {
  it.each([
    ['Bearer tulip', 'tulip'],
    ['bearer tulip', 'tulip'],
    ['BEARER   tulip ', 'tulip'],
    ['Bearer\ttulip', 'tulip'],
    ['Token tulip', 'tulip'],
    ['token tulip', 'tulip'],
    ['tulip', 'tulip'],
    [' tulip ', 'tulip'],
    ['Bearer', ''],
    ['Bearer tulip rose', 'tulip rose'],
  ])('is read from the Authorization "%s"', (authorization, token) => {
    expect(readToken({ authorization })).toBe(token);
  });

  it.each(['Basic dHVsaXA6cm9zZQ==', 'Digest username="tulip"', 'Negotiate tulip', '', ' '])(
    'is none in the Authorization "%s"',
    (authorization) => {
      expect(readToken({ authorization })).toBeUndefined();
    },
  );

  it('is none where no header has one', () => {
    expect(readToken({})).toBeUndefined();
  });

  it('is read from X-User-Email and X-User-Token, which win', () => {
    const headers = {
      'x-user-email': 'anna@example.org',
      'x-user-token': ' tulip ',
      authorization: 'Bearer rose',
    };

    expect(readToken(headers)).toBe('tulip');
  });

  it('is read from the pair whatever the e-mail address is', () => {
    expect(readToken({ 'x-user-email': '', 'x-user-token': 'tulip' })).toBe('tulip');
  });

  it.each([{ 'x-user-email': 'anna@example.org' }, { 'x-user-token': 'tulip' }])(
    'is none in %j alone',
    (headers) => {
      expect(readToken(headers)).toBeUndefined();
      expect(readToken({ ...headers, authorization: 'Bearer rose' })).toBe('rose');
    },
  );
});
