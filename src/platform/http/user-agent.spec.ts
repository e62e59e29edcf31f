import { timeInScrypts } from '../../../test/support/growth-of-time.js';
import { namedClient } from './user-agent.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('A client', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
      'Firefox 132',
      'Windows',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`, 'Chrome 131', 'Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.51`,
      'Microsoft Edge 131',
      'Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari 17.5',
      'iOS',
    ],
  ])('that sends %s is %s on %s', (userAgent, name, system) => {
    expect(namedClient(userAgent)).toEqual({ name, system, isRobot: false });
  });

  it.each([
    ['curl/8.5.0', 'curl 8.5'],
    ['Wget/1.21.4', 'Wget 1.21'],
    ['python-requests/2.31.0', 'python-requests 2.31'],
    ['Reader/1.0', 'Reader 1.0'],
    ['Go-http-client/2', 'Go-http-client 2'],
  ])('that sends %s is a program', (userAgent, name) => {
    expect(namedClient(userAgent)).toEqual({ name, isRobot: false });
  });

  it.each([
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'SlackBot 1.0'],
    ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'FacebookExternalHit'],
    ['WhatsApp/2.23.20.0', 'WhatsApp'],
    ['TelegramBot (like TwitterBot)', 'Telegram'],
    ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', 'Discord'],
    ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5', 'Microsoft Teams'],
  ])('that sends %s is a robot', (userAgent, name) => {
    expect(namedClient(userAgent)).toEqual({ name, isRobot: true });
  });

  it.each([
    '',
    'node',
    '<img src=x onerror="alert(1)">',
    'Mozilla/5.0',
    '\u202e/1.0',
    '__proto__',
    '/',
    '\0',
  ])('that sends %j has no name', (userAgent) => {
    expect(namedClient(userAgent)).toBeUndefined();
  });

  it('has a name of limited length', () => {
    expect(namedClient(`${'x'.repeat(250)}/1.0`)?.name).toHaveLength(40);
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
