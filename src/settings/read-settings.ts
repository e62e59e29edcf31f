import { readFileSync } from 'node:fs';
import { checkTogether } from './cross-checks.js';
import { StartError } from './start-error.js';
import type { Parser } from './setting.js';
import { declaredSettings } from './setting.js';
import { Settings } from './settings.js';

type Environment = Record<string, string | undefined>;

/**
 * Reads the settings from environment variables; missing ones have defaults. The value of `NAME` can also be in the
 * file that `NAME_FILE` names, as for container secrets.
 * @throws StartError with all errors at once; its message never contains a value, which may be a secret
 */
export function readSettings(environment: Environment): Settings {
  const settings = new Settings();
  const errors = new Map<string, string>();

  for (const [name, parse] of declaredSettings()) {
    try {
      Object.assign(settings, readSetting(environment, name, parse));
    } catch (error) {
      errors.set(name, (error as Error).message);
    }
  }
  for (const [name, error] of checkTogether(settings, errors)) errors.set(name, error);
  if (errors.size === 0) return settings;

  const sentences = Array.from(errors, ([name, error]) => `${name}: ${error}`);
  throw new StartError(`Wrong settings. ${sentences.join('; ')}`);
}

function readSetting(environment: Environment, name: string, parse: Parser): Partial<Settings> {
  const fileName = environment[`${name}_FILE`];
  const inline = environment[name];
  if (inline !== undefined && fileName !== undefined) throw new Error(`is given twice, also as ${name}_FILE`);

  const text = fileName === undefined ? inline : readText(fileName);
  if (text === undefined) return {};
  if (text.trim() === '') throw new Error('is empty; leave it out for the default');
  return { [name]: parse(text.trim()) };
}

function readText(fileName: string): string {
  try {
    return readFileSync(fileName, 'utf8');
  } catch (error) {
    throw new Error(`its file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, {
      cause: error,
    });
  }
}
