import { timeInScrypts } from '../../../test/support/growth-of-time.js';
import { isInsideApp, namedClient } from './user-agent.js';

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

describe('A page is shown', () => {
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 8';
  const VIEW = `${ANDROID}; wv) ${WEBKIT} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36`;
  const CHROME = `${ANDROID}) ${WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36`;
  const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`;

  it.each([
    ['Instagram', `${IPHONE} Mobile/15E148 Instagram 356.0.0.27.91 (iPhone15,2; iOS 18_1; de_DE; de)`],
    ['Instagram', `${VIEW} Instagram 356.0.0.41.101 Android (35/15; 420dpi; Google; Pixel 8)`],
    ['Facebook', `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/488.0.0.78.102;FBBV/661018474;FBDV/iPhone15,2]`],
    ['Facebook', `${VIEW} [FB_IAB/FB4A;FBAV/488.0.0.67.79;IABMV/1;]`],
    ['Messenger', `${IPHONE} Mobile/15E148 Safari/604.1 [FBAN/MessengerForiOS;FBAV/484.0.0.39.108]`],
    ['WhatsApp', `${IPHONE} Mobile/15E148 WhatsApp/2.24.23`],
    ['LINE', `${IPHONE} Mobile/15E148 Safari/604.1 Line/14.18.0`],
    ['LINE', `${CHROME} Line/14.18.1/IAB`],
    ['WeChat', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.53(0x18003531) NetType/WIFI Language/en`],
    ['WeChat', `${WINDOWS} NetType/WIFI MicroMessenger/7.0.20.1781(0x6700143B) WindowsWechat`],
    ['KakaoTalk', `${IPHONE} Mobile/15E148 KAKAOTALK 24.10.5`],
    ['Teams', `${WINDOWS} Edg/131.0.0.0 Teams/24295.605.3225.8804/49`],
    ['Teams', `${CHROME} TeamsMobile-Android`],
    ['Slack', `${WINDOWS} Slack/4.41.96`],
    ['Slack', `${WINDOWS} Slack_SSB/4.41.96`],
    ['Outlook', `${IPHONE} Mobile/15E148 Safari/604.1 Outlook-iOS/2.0`],
    ['Outlook', `${CHROME} Outlook-Android/2.0`],
    ['LinkedIn', `${IPHONE} Mobile/15E148 [LinkedInApp]/9.30`],
    ['X', `${IPHONE} Mobile/15E148 Safari/604.1 Twitter for iPhone/10.66`],
    ['TikTok', `${IPHONE} Mobile/15E148 musical_ly_37.1.0 BytedanceWebview/d8a21c6`],
    ['the Google app', `${IPHONE} GSA/342.0.693598186 Mobile/15E148 Safari/604.1`],
    ['an app of Android', VIEW],
    ['an app of iOS', `${IPHONE} Mobile/15E148`],
    [
      'an app of iPadOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    ],
  ])('inside of an app: %s with %s', (_app, userAgent) => {
    expect(isInsideApp(userAgent)).toBe(true);
  });

  it.each([
    ['Safari on iOS', `${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`],
    ['Chrome on iOS', `${IPHONE} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
    ['Firefox on iOS', `${IPHONE} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`],
    ['Edge on iOS', `${IPHONE} Version/18.0 EdgiOS/131.0.2903.48 Mobile/15E148 Safari/605.1.15`],
    [
      'Safari on macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    ],
    [
      'Firefox on macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0',
    ],
    ['Chrome on Android', CHROME],
    ['Samsung Internet', `${ANDROID}) ${WEBKIT} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36`],
    ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0'],
    ['Chrome on Windows', WINDOWS],
    ['Edge on Windows', `${WINDOWS} Edg/131.0.2903.51`],
    [
      'WebKitGTK',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    ],
    ['a preview of Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['a preview of X', 'Twitterbot/1.0'],
    ['curl', 'curl/8.5.0'],
    ['nothing', ''],
  ])('in a browser: %s with %s', (_browser, userAgent) => {
    expect(isInsideApp(userAgent)).toBe(false);
  });

  it('takes little time with a hostile header (I5)', () => {
    const testAll = () => {
      for (const part of ['FB', '; wv', 'iPhone AppleWebKit/', 'Twitter for ', 'Slack_SSB', '-'])
        isInsideApp(part.repeat(16_384 / part.length));
    };
    expect(timeInScrypts(testAll)).toBeLessThan(2);
  });
});
