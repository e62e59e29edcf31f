import Bowser from 'bowser';

/** A browser or program in words of ours: whatever a client sends, its name is one of the lists below or none. */
interface NamedClient {
  /** Such as "Firefox". */
  name: string;
  /** Such as "132" or "8.5": at most two numbers of three digits. */
  version?: string;
  /** The operating system, such as "Windows"; only known for browsers. */
  system?: string;
  isRobot: boolean;
}

/** Bowser takes the first words of a header that it does not know for a name. */
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP).filter((name) => name !== 'Generic'));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));

/** Programs that load a link to show a preview of it, in addition to those that Bowser knows. */
const PREVIEWS: [pattern: RegExp, name: string][] = [
  [/\bWhatsApp\//i, 'WhatsApp'],
  [/\bTelegramBot\b/i, 'Telegram'],
  [/\bTwitterbot\b/i, 'X'],
  [/\bDiscordbot\b/i, 'Discord'],
  [/\bSkypeUriPreview\b/i, 'Microsoft Teams'],
  [/\bSignalAndroid|\bSignal-\w+-Preview/i, 'Signal'],
  [/\bMattermost-Bot\b/i, 'Mattermost'],
  [/\bRocket\.?Chat\b/i, 'Rocket.Chat'],
  [/\bSynapse\b/i, 'Matrix'],
  [/\bredditbot\b/i, 'Reddit'],
];

/** Programs that name themselves at the start of the header, as in "curl/8.5.0" (RFC 9110, section 10.1.5). */
const PROGRAMS = [
  'aiohttp',
  'Apache-HttpClient',
  'axios',
  'curl',
  'Dart',
  'Go-http-client',
  'GuzzleHttp',
  'HTTPie',
  'insomnia',
  'Java',
  'Java-http-client',
  'libwww-perl',
  'node',
  'node-fetch',
  'okhttp',
  'PostmanRuntime',
  'PowerShell',
  'python-httpx',
  'python-requests',
  'Python-urllib',
  'reqwest',
  'Ruby',
  'undici',
  'Wget',
];

const PROGRAM_NAMES = new Map(PROGRAMS.map((name) => [name.toLowerCase(), name]));

const PROGRAM = /^([A-Za-z][\w-]{0,30})(?:\/(\S*))?(?:\s|$)/;

/** Apps that show pages in a browser of their own, as far as it names them. */
const APPS = [
  /\bFB(?:AN|AV|_IAB)\//, // Facebook, Messenger
  /\b(?:Instagram|KAKAOTALK|LinkedInApp|Snapchat|BytedanceWebview|musical_ly)/,
  /\b(?:Line|MicroMessenger|WeChat|WhatsApp|Teams|Slack|Slack_SSB|GSA)\//i,
  /\b(?:Outlook|TeamsMobile)-(?:iOS|Android)\b/i,
  /\bTwitter for \w/,
  /; wv\)/, // each WebView of Android
];
const APPLE = /\b(?:iPhone|iPad|iPod|Macintosh)\b/;

/**
 * Whether a page is shown inside of an app, by the `User-Agent` header. Such browsers often do nothing when a page
 * offers a download. On systems of Apple each real browser names Safari, and a view of an app does not.
 */
export function isInsideApp(userAgent: string): boolean {
  if (APPS.some((pattern) => pattern.test(userAgent))) return true;
  return APPLE.test(userAgent) && userAgent.includes('AppleWebKit/') && !userAgent.includes('Safari/');
}

/** The name of a client by its `User-Agent` header; undefined for one that is not in the lists. */
export function namedClient(userAgent: string): NamedClient | undefined {
  const [, preview] = PREVIEWS.find(([pattern]) => pattern.test(userAgent)) ?? [];
  if (preview !== undefined) return { name: preview, isRobot: true };
  return programOf(userAgent) ?? browserOf(userAgent);
}

function programOf(userAgent: string): NamedClient | undefined {
  const [, product = '', version] = PROGRAM.exec(userAgent) ?? [];
  const name = PROGRAM_NAMES.get(product.toLowerCase());
  return name === undefined ? undefined : { name, version: shortVersion(version), isRobot: false };
}

function browserOf(userAgent: string): NamedClient | undefined {
  if (userAgent === '') return undefined; // for which Bowser throws
  const { browser, os, platform } = Bowser.parse(userAgent);
  const { name } = browser;
  if (name === undefined || !BROWSERS.has(name)) return undefined;
  const version = shortVersion(browser.version);
  if (platform.type === 'bot') return { name, version, isRobot: true };
  const system = os.name !== undefined && SYSTEMS.has(os.name) ? os.name : undefined;
  return { name, version, system, isRobot: false };
}

/** Browsers have large main versions and no others that matter; other programs keep two numbers. */
function shortVersion(version = ''): string | undefined {
  const [, main, minor] = /^(\d{1,3})(?:\.(\d{1,3}))?(?!\d)/.exec(version) ?? [];
  return main === undefined || minor === undefined || Number(main) >= 20 ? main : `${main}.${minor}`;
}
