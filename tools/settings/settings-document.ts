import { resolve } from 'node:path';
import type { Parser } from '../../src/platform/settings/setting.js';
import { declaredSettings } from '../../src/platform/settings/setting.js';
import { settingsClasses, settingsFilesIn } from '../../src/platform/settings/settings-classes.js';
import { allAddresses } from '../../src/platform/settings/networks.js';
import { readDescriptions } from './read-descriptions.js';

const INTRODUCTION = `# Settings

<!-- Generated from the classes of settings by \`npm run settings\`. Do not edit. -->

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

/** The text of docs/settings.md. What has the same heading in several classes is one section. */
export function settingsDocument(): string {
  const sections = new Map<string, string>();
  let heading = '';
  for (const { name, ...described } of describedSettings()) {
    heading = described.heading ?? heading;
    const cells = [`\`${name}\``, `\`${described.byDefault}\``, described.values, described.meaning];
    const row = `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
    sections.set(heading, (sections.get(heading) ?? '') + row);
  }
  return INTRODUCTION + Array.from(sections, ([title, rows]) => `\n## ${title}\n\n${HEAD}${rows}`).join('');
}

function describedSettings() {
  const descriptions = readDescriptions([
    'src/platform/settings/settings.ts',
    ...settingsFilesIn('src', '.ts'),
  ]);
  return settingsClasses().flatMap((type) => {
    const defaults = new type() as Record<string, unknown>;
    return Array.from(declaredSettings(type), ([name, parse]) => {
      const { heading, meaning = '' } = descriptions.get(name) ?? {};
      if (meaning === '') throw new Error(`${type.name} does not say what ${name} means`);
      return { name, heading, meaning, byDefault: defaultOf(defaults[name]), values: valuesOf(parse) };
    });
  });
}

export function defaultOf(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '–';
  if (value === resolve('data')) return './data';
  if (value === allAddresses()) return '::'; // also where this runs without IPv6
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
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
