import { readFileSync } from 'node:fs';
import { checkTogether } from './cross-checks.js';
import { misspeltNames } from './names.js';
import { StartError } from './start-error.js';
import type { Parser, SettingsClass } from './setting.js';
import { declaredSettings } from './setting.js';
import { Settings } from './settings.js';
import { settingsClasses } from './settings-classes.js';

type Environment = Record<string, string | undefined>;

/** The settings of all classes, read once and checked together. */
export class AllSettings {
  private readonly read: Map<SettingsClass, object>;

  /**
   * Reads them from environment variables; missing ones have defaults. The value of `NAME` can also be in the file that
   * `NAME_FILE` names, as for container secrets.
   * @throws StartError with all errors at once; its message never contains a value, which may be a secret
   */
  constructor(environment: Environment) {
    const { read, faults } = readAll(environment);
    const misspelt = misspeltNames(environment).map(
      ([name, meant]) => `${name}: is no setting; did you mean ${meant}?`,
    );
    if (misspelt.length + faults.length > 0)
      throw new StartError(`Wrong settings. ${[...misspelt, ...faults].join('; ')}`);
    this.read = read;
  }

  of<Declared extends object>(type: SettingsClass<Declared>): Declared {
    return this.read.get(type) as Declared;
  }
}

/**
 * The settings of the service.
 * @throws StartError about the settings of all classes
 */
export function readSettings(environment: Environment): Settings {
  return new AllSettings(environment).of(Settings);
}

/** What is wrong with the values of settings. Whether other variables are misspelt settings is not checked. */
export function faultsOf(environment: Environment): string[] {
  return readAll(environment).faults;
}

function readAll(environment: Environment): { read: Map<SettingsClass, object>; faults: string[] } {
  const errors = new Map<string, string>();
  const types = settingsClasses();
  const read = new Map(types.map((type) => [type, readClass(type, environment, errors)]));
  const violated = checkTogether(types, Object.assign(new Settings(), ...read.values()) as object, errors);
  return { read, faults: [...errors, ...violated].map(([name, error]) => `${name}: ${error}`) };
}

/**
 * Some settings of the service, also where others cannot be checked, because no module is loaded that declares what they
 * name.
 * @throws StartError about these
 */
export function readSome<Name extends keyof Settings>(
  environment: Environment,
  names: Name[],
): Pick<Settings, Name> {
  const errors = new Map<string, string>();
  const settings = readClass(Settings, environment, errors) as Settings;
  const faults = names.filter((name) => errors.has(name)).map((name) => `${name}: ${errors.get(name)}`);
  if (faults.length > 0) throw new StartError(`Wrong settings. ${faults.join('; ')}`);
  return settings;
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
