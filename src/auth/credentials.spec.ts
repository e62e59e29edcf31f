import { readCredentials } from './credentials.js';

describe('The credentials of a request', () => {
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
  ])('are read of the Authorization "%s"', (authorization, token) => {
    expect(readCredentials({ authorization })).toEqual({ token });
  });

  it.each(['Basic dHVsaXA6cm9zZQ==', 'Digest username="tulip"', 'Negotiate tulip', '', ' '])(
    'are none in the Authorization "%s"',
    (authorization) => {
      expect(readCredentials({ authorization })).toBeUndefined();
    },
  );

  it('are none where no header tells any', () => {
    expect(readCredentials({})).toBeUndefined();
  });

  it('are read of X-User-Email and X-User-Token, which win', () => {
    const headers = {
      'x-user-email': 'anna@example.org',
      'x-user-token': ' tulip ',
      authorization: 'Bearer rose',
    };

    expect(readCredentials(headers)).toEqual({ token: 'tulip', email: 'anna@example.org' });
  });

  it.each([{ 'x-user-email': 'anna@example.org' }, { 'x-user-token': 'tulip' }])(
    'are none in %j alone',
    (headers) => {
      expect(readCredentials(headers)).toBeUndefined();
      expect(readCredentials({ ...headers, authorization: 'Bearer rose' })).toEqual({ token: 'rose' });
    },
  );
});
