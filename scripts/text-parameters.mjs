// Writes the types of the texts and of their parameters from the English catalogue; with --check, only compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { parametersOf } from '../src/texts/message.ts';

const SOURCE = 'src/texts/locales/en.json';
const TARGET = 'src/texts/text-parameters.ts';

const texts = Object.entries(JSON.parse(readFileSync(SOURCE, 'utf8'))).filter(
  ([key]) => !key.startsWith('@'),
);
const members = texts.map(([key, text]) => `'${key}': ${typeOf(parametersOf(text))};`);

const content = `// Written by \`npm run texts\` from locales/en.json.

/** What stands for a parameter that is only text. */
type Value = string | number;

/** What makes an element of the content between two tags, such as a link. */
export type Markup = (content: unknown[]) => unknown;

type None = undefined;

/** The texts, with their parameters. */
export interface TextParameters {
${members.join('\n')}
}

export type TextKey = keyof TextParameters;

/** The parameters of a text as an argument, which is left out when it has none, or may have none. */
export type TextValues<Key extends TextKey> =
  undefined extends TextParameters[Key]
    ? [values?: TextParameters[Key]]
    : [values: TextParameters[Key]];

/** The parameters of one of all texts. */
export type SomeTextValues = TextParameters[TextKey];
`;

const formatted = await format(content, { ...(await resolveConfig(TARGET)), parser: 'typescript' });
if (process.argv.includes('--check')) process.exitCode = formatted === readFileSync(TARGET, 'utf8') ? 0 : 1;
else writeFileSync(TARGET, formatted);

function typeOf(parameters) {
  if (parameters.size === 0) return 'None';
  return `{ ${[...parameters].map(([name, type]) => `${name}: ${type}`).join('; ')} }`;
}
