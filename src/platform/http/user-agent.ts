import Bowser from 'bowser';

/** What a client calls itself, in words. Anyone can send any other name. */
export interface NamedClient {
  /** The name with its version: "Firefox 132". */
  name: string;
  /** The operating system, such as "Windows"; only known for browsers. */
  system?: string;
  isRobot: boolean;
}

const MAX_NAME = 40;

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

/** A product and its version, as in "curl/8.5.0" (RFC 9110, section 10.1.5), but not the one that all browsers send. */
const PROGRAM = /^(?!Mozilla\/)([A-Za-z][\w.-]*)\/(\d[\w.+-]*)/;

/** The name of a client by its `User-Agent` header; undefined for one that cannot be named. */
export function namedClient(userAgent: string): NamedClient | undefined {
  const [, preview] = PREVIEWS.find(([pattern]) => pattern.test(userAgent)) ?? [];
  if (preview !== undefined) return { name: preview, isRobot: true };
  return browserOf(userAgent) ?? programOf(userAgent);
}

function browserOf(userAgent: string): NamedClient | undefined {
  if (userAgent === '') return undefined; // for which Bowser throws
  const { browser, os, platform } = Bowser.parse(userAgent);
  if (!browser.name || browser.name === 'Mozilla') return undefined;
  const name = withVersion(browser.name, browser.version);
  return platform.type === 'bot' ? { name, isRobot: true } : { name, system: os.name, isRobot: false };
}

function programOf(userAgent: string): NamedClient | undefined {
  const [, name, version] = PROGRAM.exec(userAgent) ?? [];
  return name === undefined ? undefined : { name: withVersion(name, version), isRobot: false };
}

/** Browsers have large main versions and no others that matter; other programs keep two numbers. */
function withVersion(name: string, version = ''): string {
  const [main, minor] = version.split('.');
  const isBrowser = Number(main) >= 20 || minor === undefined;
  return cut(main ? `${name} ${isBrowser ? main : `${main}.${minor}`}` : name);
}

function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MAX_NAME ? text : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}
