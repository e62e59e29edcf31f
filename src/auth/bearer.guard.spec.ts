import { readToken } from './bearer.guard.js';

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
  ])('is read from the Authorization header "%s"', (authorization, token) => {
    expect(readToken({ authorization })).toBe(token);
  });

  it.each(['Basic dHVsaXA6cm9zZQ==', 'Digest username="tulip"', 'Negotiate tulip', '', ' '])(
    'is undefined for the Authorization header "%s"',
    (authorization) => {
      expect(readToken({ authorization })).toBeUndefined();
    },
  );

  it('is undefined without any header', () => {
    expect(readToken({})).toBeUndefined();
  });

  it('is read from X-User-Email and X-User-Token even if there is an Authorization header', () => {
    const headers = {
      'x-user-email': 'anna@example.org',
      'x-user-token': ' tulip ',
      authorization: 'Bearer rose',
    };

    expect(readToken(headers)).toBe('tulip');
  });

  it('is read from X-User-Token whatever the email address is', () => {
    expect(readToken({ 'x-user-email': '', 'x-user-token': 'tulip' })).toBe('tulip');
  });

  it.each([{ 'x-user-email': 'anna@example.org' }, { 'x-user-token': 'tulip' }])(
    'is undefined for %j alone',
    (headers) => {
      expect(readToken(headers)).toBeUndefined();
      expect(readToken({ ...headers, authorization: 'Bearer rose' })).toBe('rose');
    },
  );
});
