import { serverWords } from './server-words.js';

const PASSWORD = 'geheim+wort';
/** What a server would be sent as an access token. */
const TOKEN = `eyJ0eXAiOiJKV1Qi.${Buffer.from('geheim '.repeat(40)).toString('base64url')}.c2lnbmF0dXJl`;

const wordsOf = (said: string, recipient?: string) =>
  serverWords(said, { secrets: ['robin', PASSWORD, TOKEN], recipient });

describe('What a mail server says', () => {
  it.each([
    [
      '535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [AM0PR01CA0089.eurprd01.prod.outlook.com]',
      '535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [AM0PR01CA0089.eurprd01.prod.outlook.com]',
    ],
    [
      '535-5.7.8 Username and Password not accepted.\r\n535 5.7.8  https://support.google.com/mail/?p=BadCredentials',
      '535-5.7.8 Username and Password not accepted. 535 5.7.8 https://support.google.com/mail/?p=BadCredentials',
    ],
    ['550 \u001b[31m\u202eno\u0000\u2028more', '550 [31m no more'],
    ['550 Größe \u{1f600}', '550 Größe \u{1f600}'],
    ['', ''],
  ])('is shown in one line: %j (E10)', (said, shown) => {
    expect(wordsOf(said, 'bob@example.org')).toBe(shown);
  });

  it('has at most 300 characters, of which none is cut in two', () => {
    const shown = wordsOf(`550 ${'\u{1f600} '.repeat(1000)}`);

    expect(Array.from(shown)).toHaveLength(300);
    expect(shown.isWellFormed()).toBe(true);
  });

  it.each([
    `535 robin with ${PASSWORD} is wrong`,
    `501 AUTH PLAIN ${Buffer.from(`\0robin\0${PASSWORD}`).toString('base64')} is unknown`,
    `501 ${Buffer.from(PASSWORD).toString('base64')}`,
    `535 Bearer ${TOKEN}`,
    `500 AUTH XOAUTH2 ${Buffer.from(`user=robin\x01auth=Bearer ${TOKEN}\x01\x01`).toString('base64')}`,
    `500 line too long: AUTH XOAUTH2 ${Buffer.from(`user=robin\x01auth=Bearer ${TOKEN}`).toString('base64').slice(0, 200)}`,
    `535 ${TOKEN.slice(0, 150)}…`,
    `535 ${TOKEN.slice(30)}`,
  ])('shows no credential and no part of one: %j (H1)', (said) => {
    expect(wordsOf(said)).not.toMatch(/robin|geheim|wort|Z2VoZWlt|eyJ0eXAi|dXNlcj1/);
  });

  it.each([
    '550 5.1.1 <bob@example.org>: Recipient address rejected: User unknown',
    '550 5.1.1 <BOB@EXAMPLE.ORG> unknown',
    '550 5.1.1 mailto:bob@example.org, ada@example.org',
    '550 5.1.1 User bob is unknown',
    "550 5.1.1 'Bob': no such user",
    '550 https://example.com/why?to=bob%40example.org&x=1',
    '550 bounces+bob=40example.org is blocked',
  ])('names no recipient where the log must not: %j', (said) => {
    expect(wordsOf(said, 'bob@example.org')).not.toMatch(/bob|ada|example\.org/i);
    expect(wordsOf(said, 'bob@example.org')).toMatch(/^550 /);
  });

  it.each(['550@example.org', 'a.*+?^${}()|[]\\/b@example.org', 'größe@example.org'])(
    'keeps its reply code and is readable whatever the recipient is: %s',
    (recipient) => {
      expect(wordsOf(`550 5.1.1 <${recipient}> is unknown`, recipient)).toBe('550 5.1.1 <***> is unknown');
    },
  );

  it.each(['a', 'a@', '@', '=40', '%40a', 'a '])(
    'is read in no time if it is %j again and again (L1)',
    (part) => {
      const started = performance.now();
      wordsOf(part.repeat(64 * 1024), 'bob@example.org');
      expect(performance.now() - started).toBeLessThan(200);
    },
  );
});
