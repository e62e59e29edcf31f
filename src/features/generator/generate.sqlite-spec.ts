import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { forAllTests, forThisTest } from '../../../test/support/for-tests.js';
import { startApp } from '../../../test/support/start-app.js';

const PATH = '/api/v2/generate';
const WORDS = readFileSync('src/web/assets/words-en.txt', 'utf8').split('\n').slice(3);

describe('POST /api/v2/generate', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));

  /** Of a client that has asked for nothing before. */
  const generate = (body?: object | string, headers: Record<string, string> = {}) => {
    const [network] = randomUUID().split('-');
    const ip = `2001:db8:${network?.slice(0, 4)}:${network?.slice(4)}::1`;
    const client = running.anonymous.with({ 'X-Forwarded-For': ip, ...headers });
    return body === undefined ? client.send('POST', PATH) : client.post(PATH, body);
  };

  it('makes passwords of at least one character of each class, and says how hard they are to guess', async () => {
    const { status, body } = await generate({ count: 10, length: 12 });

    expect(status).toBe(200);
    expect(body).toEqual({ type: 'password', entropy_bits: expect.any(Number), results: expect.any(Array) });
    expect(new Set(body.results).size).toBe(10);
    for (const password of body.results) {
      expect(password).toMatch(/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?=.*[-_.+!?])[\w.+!?-]{12}$/);
      expect(password).not.toMatch(/[Il1O0o]/);
    }
    expect(body.entropy_bits).toBeLessThan(12 * Math.log2(62));
    expect(body.entropy_bits).toBeGreaterThan(12 * Math.log2(62) - 2);
  });

  it('takes its fields from an object, a form, or neither', async () => {
    const pin = /^\d{9}$/;
    const nested = await generate({ generate: { type: 'pin', length: 9 } });
    const form = await generate(new URLSearchParams({ type: 'pin', length: '9' }));
    const nestedForm = await generate(
      new URLSearchParams({ 'generate[type]': 'pin', 'generate[length]': '9' }),
    );
    const nothing = await generate(undefined);

    for (const { body } of [nested, form, nestedForm]) expect(body.results[0]).toMatch(pin);
    expect(nested.body.entropy_bits).toBe(29.9);
    expect(nothing.body.type).toBe('password');
  });

  it('makes passphrases of words of a language', async () => {
    const { body } = await generate({ type: 'passphrase', word_count: 4, separator: ' ' });
    expect(body).toMatchObject({ type: 'passphrase', language: 'en', entropy_bits: 51.7 });
    expect(body.results[0].split(' ').every((word: string) => WORDS.includes(word))).toBe(true);

    const options = { language: 'de', capitalize: 'true', number: true, symbol: 1, separator: '' };
    const german = await generate({ type: 'passphrase', word_count: 3, ...options });
    expect(german.body.results[0]).toMatch(/^(\p{Lu}\p{Ll}+){3}\d\d[!@#$%^&*]$/u);
  });

  it('makes passwords of exactly the different characters of a text', async () => {
    const { body } = await generate({ charset: '🌷🌹🌷', length: 4, symbols: true, min_digits: 9 });

    expect(body.results[0]).toMatch(/^[🌷🌹]{4}$/u);
    expect(body.entropy_bits).toBe(4);
    expect((await generate({ charset: 'greek', symbols: false, digits: false })).body.results[0]).toMatch(
      /^\p{Script=Greek}{20}$/u,
    );
  });

  it.each([
    [{ type: 'pet name' }, 'Unknown generator type: pet name'],
    [{ type: ['password'] }, 'Unknown generator type: ["password"]'],
    [{ type: 'constructor' }, 'Unknown generator type: constructor'],
    [{ type: 'x'.repeat(5000) }, `Unknown generator type: ${'x'.repeat(50)}`],
    [{ count: 0 }, 'count must be between 1 and 10.'],
    [{ count: 11 }, 'count must be between 1 and 10.'],
    [{ count: '1e3' }, 'count must be an integer.'],
    [{ count: 1.5 }, 'count must be an integer.'],
    [{ count: {} }, 'count must be an integer.'],
    [{ length: 129 }, 'length must be between 4 and 128.'],
    [{ type: 'pin', length: 13 }, 'length must be between 4 and 12.'],
    [{ type: 'passphrase', word_count: 2 }, 'word_count must be between 3 and 10.'],
    [{ type: 'passphrase', language: 'tlh' }, 'Unsupported language: tlh'],
    [{ type: 'passphrase', language: '__proto__' }, 'Unsupported language: __proto__'],
    [{ type: 'passphrase', separator: '-'.repeat(9) }, 'Separator is too long.'],
    [{ type: 'passphrase', separator: ['-'] }, 'separator must be text.'],
    [{ charset: '' }, 'Character set is empty.'],
    [{ charset: '\ud800' }, 'charset must be text.'],
    [
      { uppercase: false, lowercase: false, digits: false, symbols: false },
      'Select at least one character class.',
    ],
    [{ length: 8, min_digits: 6 }, 'Password length is too short for the selected character rules.'],
    [{ length: 8, min_symbols: 10 ** 15 }, 'Password length is too short for the selected character rules.'],
    [{ min_digits: -1 }, 'min_digits must be zero or greater.'],
    [{ uppercase: 'maybe' }, 'uppercase must be true or false.'],
  ])('refuses %j with one sentence', async (fields, error) => {
    expect(await generate(fields)).toMatchObject({ status: 422, body: { error } });
  });

  it.each([['[1]'], ['"password"'], ['7']])(
    'takes the body %s, which has no fields, for none',
    async (json) => {
      const { status } = await generate(json, { 'Content-Type': 'application/json' });

      expect(status).toBe(200);
    },
  );

  it.each([
    ['text/plain', 'length=8', 400],
    ['application/json', '{', 400],
    ['application/json', JSON.stringify({ charset: 'x'.repeat(70_000) }), 413],
  ])('refuses a body of %s that it cannot read', async (type, body, status) => {
    expect((await generate(body, { 'Content-Type': type })).status).toBe(status);
  });

  it('is limited to 30 a minute for an address, and for an account wherever it asks from', async () => {
    const { token } = await running.newUser();
    const ofAccount = await statusesOf(31, () => generate({}, { Authorization: `Bearer ${token}` }));
    const ofAddress = await statusesOf(31, () => generate({}, { 'X-Forwarded-For': '203.0.113.77' }));

    for (const statuses of [ofAccount, ofAddress]) {
      expect(statuses.slice(0, 30)).toEqual(Array(30).fill(200));
      expect(statuses[30]).toBe(429);
    }
    const { body, headers } = await generate({}, { 'X-Forwarded-For': '203.0.113.77' });
    expect(body).toEqual({ error: 'Too many generation requests. Please try again in a minute.' });
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

describe('POST /api/v2/generate, where settings say more', () => {
  it('makes what they say when a request does not', async () => {
    const env = { GENERATOR_TYPE: 'passphrase', GENERATOR_LANGUAGE: 'cs', GENERATOR_WORDS: '7' };
    const running = await forThisTest(startApp(env));
    const { body } = await running.anonymous.post(PATH, {});

    expect(body).toMatchObject({ type: 'passphrase', language: 'cs', entropy_bits: 77 });
    expect(body.results[0].split('-')).toHaveLength(7);
  });

  it('does not exist on a gateway', async () => {
    const running = await forThisTest(
      startApp({ ROLE: 'gateway', MASTER_KEYS: randomBytes(32).toString('base64') }),
    );

    expect((await running.anonymous.post(PATH, {})).status).toBe(404);
  });
});

async function statusesOf(count: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await ask()).status);
  return statuses;
}
