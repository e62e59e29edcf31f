import { timeInScrypts } from '../../../test/support/growth-of-time.js';
import { namedClient } from './user-agent.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('A client', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
      'Firefox',
      '132',
      'Windows',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`, 'Chrome', '131', 'Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.51`,
      'Microsoft Edge',
      '131',
      'Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari',
      '17.5',
      'iOS',
    ],
  ])('that sends %s is %s %s on %s', (userAgent, name, version, system) => {
    expect(namedClient(userAgent)).toEqual({ name, version, system, isRobot: false });
  });

  it.each([
    ['curl/8.5.0', 'curl', '8.5'],
    ['Wget/1.21.4', 'Wget', '1.21'],
    ['python-requests/2.31.0', 'python-requests', '2.31'],
    ['Go-http-client/2', 'Go-http-client', '2'],
    ['node', 'node', undefined],
    ['WGET/https://evil.example', 'Wget', undefined],
  ])('that sends %s is a program', (userAgent, name, version) => {
    expect(namedClient(userAgent)).toEqual({ name, version, isRobot: false });
  });

  it.each([
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'SlackBot', '1.0'],
    [
      'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      'FacebookExternalHit',
      undefined,
    ],
    ['WhatsApp/2.23.20.0', 'WhatsApp', undefined],
    ['TelegramBot (like TwitterBot)', 'Telegram', undefined],
    ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', 'Discord', undefined],
    ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5', 'Microsoft Teams', undefined],
  ])('that sends %s is a robot', (userAgent, name, version) => {
    expect(namedClient(userAgent)).toEqual({ name, version, isRobot: true });
  });

  it.each([
    '',
    'Reader/1.0',
    'evil.example/1.0 (now)',
    'Call +1 555 0100 https://evil.example/1.0',
    'Win https://evil.example/1 now',
    'constructor/1.0',
    'toString',
    '<img src=x onerror="alert(1)">',
    'Mozilla/5.0',
    '\u202e/1.0',
    '__proto__',
    '/',
    '\0',
  ])('that sends %j has no name', (userAgent) => {
    expect(namedClient(userAgent)).toBeUndefined();
  });

  it.each([
    `Mozilla/5.0 (evil.example; Windows NT evil) ${WEBKIT} Chrome/131.evil.example Safari/537.36`,
    `Mozilla/5.0 (X11; evil.example) ${WEBKIT} Chrome/evil.example`,
    'Mozilla/5.0 (compatible; Googlebot/2.1evil.example; +https://evil.example)',
    'curl/8.evil.example https://evil.example',
    'curl/evil.example',
    'Firefox/https://evil.example',
    'Opera/9999999999 evil.example',
  ])('that sends %s has no words of it in its name (N2)', (userAgent) => {
    expect(JSON.stringify(namedClient(userAgent) ?? null)).not.toMatch(/evil|example|http|\d{4}/);
  });

  it.each(['a/', '(', ' ', 'Mozilla/5.0 (', 'version/', 'android 1', 'like android ', '1.', '_'])(
    'that repeats %j is named quickly (I5)',
    (part) => {
      const userAgent = part.repeat(Math.ceil(255 / part.length)).slice(0, 255);
      const nameOften = () => {
        for (let i = 0; i < 50; i++) namedClient(userAgent);
      };

      expect(timeInScrypts(nameOften)).toBeLessThan(2);
    },
  );
});
