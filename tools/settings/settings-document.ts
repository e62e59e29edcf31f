import { resolve } from 'node:path';
import type { Parser } from '../../src/platform/settings/setting.js';
import { declaredSettings } from '../../src/platform/settings/setting.js';
import { allAddresses } from '../../src/platform/settings/networks.js';
import { Settings } from '../../src/platform/settings/settings.js';
import { readDescriptions } from './read-descriptions.js';

const INTRODUCTION = `# Settings

<!-- Generated from src/platform/settings/settings.ts by \`npm run settings\`. Do not edit. -->

Settings are environment variables, all optional. \`–\` is a setting that is absent by default.

- Any setting may also be read from a file: \`MASTER_KEYS_FILE=/run/secrets/master_keys\` reads MASTER_KEYS from there.
- With wrong values the service does not start, and one message lists all of them, without the values. \`npm run -s cli -- settings:check\` prints the same without a start.
- A name that is nearly that of a setting (\`DISABLE_SIGNUP\`) counts as wrong. Other names that begin like those of settings (\`MAIL_…\`, \`S3_…\`) are ignored, with one warning in the log that lists them.
- For \`true\` and \`false\` there are also \`on\`, \`yes\`, \`1\` and \`off\`, \`no\`, \`0\`.
`;

const HEAD = `| Setting | Default | Values | Meaning |
| --- | --- | --- | --- |
`;

/** No setting accepts it, except for paths. */
const UNACCEPTABLE = '\n';

/** The text of docs/settings.md. */
export function settingsDocument(): string {
  const descriptions = readDescriptions();
  const defaults = new Settings();
  let document = INTRODUCTION;
  for (const [name, parse] of declaredSettings(Settings)) {
    const { heading, meaning } = descriptions.get(name) ?? { meaning: '' };
    if (heading !== undefined) document += `\n## ${heading}\n\n${HEAD}`;
    if (meaning === '') throw new Error(`src/platform/settings/settings.ts does not say what ${name} means`);
    const cells = [
      `\`${name}\``,
      `\`${defaultOf(defaults[name as keyof Settings])}\``,
      valuesOf(parse),
      meaning,
    ];
    document += `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  }
  return document;
}

export function defaultOf(value: Settings[keyof Settings]): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '–';
  if (value === resolve('data')) return './data';
  if (value === allAddresses()) return '::'; // also where this runs without IPv6
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a value must be, as the error says that refuses another: the two cannot differ. */
function valuesOf(parse: Parser): string {
  try {
    parse(UNACCEPTABLE);
  } catch (error) {
    const sentence = /^must (?:be |look )?(?:a whole number from |one of )?(.+)$/.exec(
      (error as Error).message,
    )?.[1];
    if (sentence !== undefined) return sentence;
  }
  return 'a path';
}
