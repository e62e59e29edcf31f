import { reasonOf } from './redis-rate-limiter.js';

describe('The reason why Redis does not count', () => {
  it.each([
    [
      'ECONNREFUSED',
      Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' }),
    ],
    ['WRONGPASS', new Error('WRONGPASS invalid username-password pair or user is disabled.')],
    ['READONLY', new Error("READONLY You can't write against a read only replica.")],
    ['ERR', new Error("ERR unknown command 'AUTH', with args beginning with: 'default' 'tulip'")],
    ['no reply', new Error('Socket closed unexpectedly')],
    ['no reply', new Error('')],
  ])('is logged as %s, without anything that Redis quotes (H1)', (reason, error) => {
    expect(reasonOf(error)).toBe(reason);
  });
});
