import type { TooManyRequests } from '../../src/platform/http/errors/too-many-requests.js';
import { RetrievalsService } from '../../src/pushes/retrieve/retrievals.service.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/platform/settings/units.js';
import { after, someVisitor } from '../support/new-pushes.js';

describe('Over time, wrong passphrases', () => {
  const running = forAllTests(startApp);

  const share = async (): Promise<string> =>
    (await running.anonymous.push({ payload: 'tulip', passphrase: 'horse' })).url_token;

  const start = new Date();

  /** Returns `shown`, or the status, followed by the seconds to wait if it is 429. */
  const retrieve = async (token: string, passphrase: string, ip: string, now: Date) => {
    try {
      await running.app.get(RetrievalsService).retrieve(token, { passphrase }, someVisitor({ ip }), now);
      return 'shown';
    } catch (error) {
      const status = (error as TooManyRequests).getStatus();
      return status === 429 ? `429 ${(error as TooManyRequests).retryAfterSeconds}` : String(status);
    }
  };

  it('make an address wait until the first of five is a minute old', async () => {
    const token = await share();
    const tryAt = (seconds: number, passphrase: string) =>
      retrieve(token, passphrase, '198.51.100.1', after(start, seconds * SECOND_MS));

    for (const seconds of [0, 10, 20, 30, 40]) expect(await tryAt(seconds, 'wrong')).toBe('401');
    expect(await tryAt(45, 'horse')).toBe('429 15');
    expect(await tryAt(59.999, 'horse')).toBe('429 1');
    expect(await tryAt(60, 'wrong')).toBe('401');
    expect(await tryAt(60, 'wrong')).toBe('429 10');
    expect(await tryAt(70, 'horse')).toBe('shown');
  });

  it('make an address wait until the first of twenty is an hour old', async () => {
    const token = await share();
    const tryAt = (minutes: number, passphrase: string) =>
      retrieve(token, passphrase, '198.51.100.1', after(start, minutes * MINUTE_MS));

    for (let i = 0; i < 20; i++) expect(await tryAt(i, 'wrong')).toBe('401');
    expect(await tryAt(25, 'horse')).toBe('429 2100');
    expect(await tryAt(59.9, 'horse')).toBe('429 6');
    expect(await tryAt(60, 'wrong')).toBe('401');
    expect(await tryAt(60.5, 'horse')).toBe('429 30');
    expect(await tryAt(61, 'horse')).toBe('shown');
  });

  it('of a hundred addresses make these wait, but no others (B4)', async () => {
    const token = await share();
    for (let i = 0; i < 100; i++) {
      expect(await retrieve(token, 'wrong', `203.0.113.${i}`, after(start, i * SECOND_MS))).toBe('401');
    }
    const now = after(start, 10 * MINUTE_MS);

    expect(await retrieve(token, 'horse', '203.0.113.0', now)).toBe('429 3000');
    expect(await retrieve(token, 'horse', '203.0.113.99', now)).toBe('429 3099');
    for (let i = 0; i < 3; i++) expect(await retrieve(token, 'horse', '198.51.100.1', now)).toBe('shown');
    expect(await retrieve(token, 'wrong', '198.51.100.2', now)).toBe('401');
    expect(await retrieve(token, 'horse', '198.51.100.2', now)).toBe('429 3600');
    expect(await retrieve(token, 'horse', '203.0.113.99', after(start, HOUR_MS + 99 * SECOND_MS))).toBe(
      'shown',
    );
  });
});
