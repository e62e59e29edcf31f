// Writes the types of the texts and of their parameters from the English catalogue, and the others in its order, without
// comments; with --check, only compares them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { parametersOf } from '../src/texts/message.ts';

const FOLDER = 'src/texts/locales';
const TARGET = 'src/texts/text-parameters.ts';

const english = readObject(`${FOLDER}/en.json`);
const texts = Object.entries(english).filter(([key]) => !key.startsWith('@'));
const members = texts.map(([key, text]) => `'${key}': ${typeOf(parametersOf(text))};`);

const content = `// Written by \`npm run texts\` from locales/en.json.

import type { DeclaredText, Markup, None, Value } from './text-types.js';

/** The texts, with their parameters. */
export interface TextParameters {
${members.join('\n')}
}

export type TextKey = keyof TextParameters | DeclaredText;

/** The parameters of a text. */
export type ParametersOf<Key extends TextKey> = Key extends keyof TextParameters
  ? TextParameters[Key]
  : Key extends DeclaredText<infer Parameters>
    ? Parameters
    : never;

/** The parameters of a text as an argument, which is left out when it has none, or may have none. */
export type TextValues<Key extends TextKey> =
  undefined extends ParametersOf<Key> ? [values?: ParametersOf<Key>] : [values: ParametersOf<Key>];

/** The parameters of one of all texts. */
export type SomeTextValues = ParametersOf<TextKey>;
`;

const isCheck = process.argv.includes('--check');
write(TARGET, await format(content, { ...(await resolveConfig(TARGET)), parser: 'typescript' }));
for (const name of readdirSync(FOLDER).filter((name) => name !== 'en.json'))
  write(`${FOLDER}/${name}`, inOrder(readObject(`${FOLDER}/${name}`)));

function readObject(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    process.exit(1);
  }
}

/** As JSON: the head, the texts as the English catalogue has them, and those that it does not know. */
function inOrder(catalogue) {
  const head = Object.keys(catalogue).filter((key) => key.startsWith('@@'));
  const unknown = Object.keys(catalogue).filter((key) => !key.startsWith('@') && !(key in english));
  return `${JSON.stringify(catalogue, [...head, ...texts.map(([key]) => key), ...unknown], 2)}\n`;
}

function write(file, written) {
  if (written === readFileSync(file, 'utf8')) return;
  if (!isCheck) return writeFileSync(file, written);
  console.error(`${file} is not as \`npm run texts\` writes it`);
  process.exitCode = 1;
}

function typeOf(parameters) {
  if (parameters.size === 0) return 'None';
  return `{ ${[...parameters].map(([name, type]) => `${name}: ${type}`).join('; ')} }`;
}
