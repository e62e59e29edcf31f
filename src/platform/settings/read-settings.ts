import { readFileSync } from 'node:fs';
import { checkTogether } from './cross-checks.js';
import { misspeltNames } from './names.js';
import { StartError } from './start-error.js';
import type { Parser, SettingsClass } from './setting.js';
import { declaredSettings, settingsClasses } from './setting.js';
import { Settings } from './settings.js';

type Environment = Record<string, string | undefined>;

/**
 * Reads the settings from environment variables; missing ones have defaults. The value of `NAME` can also be in the
 * file that `NAME_FILE` names, as for container secrets.
 * @throws StartError with all errors at once, also in the settings of modules; its message never contains a value,
 * which may be a secret
 */
export function readSettings(environment: Environment): Settings {
  return readSettingsOf(Settings, environment);
}

/** The same for a class of settings that a module declares. */
export function readSettingsOf<T extends object>(type: SettingsClass<T>, environment: Environment): T {
  const { read, faults } = readAll(environment);
  const misspelt = misspeltNames(environment).map(
    ([name, meant]) => `${name}: is no setting; did you mean ${meant}?`,
  );
  if (misspelt.length + faults.length === 0) return read.get(type) as T;
  throw new StartError(`Wrong settings. ${[...misspelt, ...faults].join('; ')}`);
}

/** What is wrong with the values of settings. Whether other variables are misspelt settings is not checked. */
export function faultsOf(environment: Environment): string[] {
  return readAll(environment).faults;
}

function readAll(environment: Environment): { read: Map<SettingsClass, object>; faults: string[] } {
  const errors = new Map<string, string>();
  const read = new Map(settingsClasses().map((each) => [each, readClass(each, environment, errors)]));
  const violated = checkTogether(read.get(Settings) as Settings, errors);
  return { read, faults: [...errors, ...violated].map(([name, error]) => `${name}: ${error}`) };
}

/** The settings with a valid value, and the defaults of the others. */
export function readValidSettings(environment: Environment): Settings {
  return readClass(Settings, environment, new Map()) as Settings;
}

/** Adds to `errors` what is wrong with the values of its settings. */
function readClass(type: SettingsClass, environment: Environment, errors: Map<string, string>): object {
  const settings = new type();
  for (const [name, parse] of declaredSettings(type)) {
    try {
      Object.assign(settings, readSetting(environment, name, parse));
    } catch (error) {
      errors.set(name, (error as Error).message);
    }
  }
  return settings;
}

function readSetting(environment: Environment, name: string, parse: Parser): object {
  const fileName = environment[`${name}_FILE`];
  const inline = parse.isCommon
    ? [environment[name.toLowerCase()], environment[name]].find((value) => value?.trim())
    : environment[name];
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
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`its file ${isPath(fileName) ? `${fileName} ` : ''}cannot be read (${code})`, {
      cause: error,
    });
  }
}

/** Whether it can be shown: it might also be the secret itself, given in place of a path to it. */
function isPath(fileName: string): boolean {
  return /^\.{0,2}\/[^\p{Cc}]*$/u.test(fileName) && !fileName.endsWith('=');
}
