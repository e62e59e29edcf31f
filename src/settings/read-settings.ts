import { readFileSync } from 'node:fs';
import { StartError } from './start-error.js';
import type { Parse } from './setting.js';
import { declaredSettings } from './setting.js';
import { Settings } from './settings.js';

type Environment = Record<string, string | undefined>;

/**
 * The settings that an environment asks for, defaults where it is silent. Each may also come from the file
 * that `NAME_FILE` names, as container secrets do.
 * @throws StartError naming every fault at once; a value is never part of the message, for it may be a secret.
 */
export function readSettings(environment: Environment): Settings {
  const settings = new Settings();
  const faults: string[] = [];

  for (const [name, parse] of declaredSettings()) {
    try {
      Object.assign(settings, readSetting(environment, name, parse));
    } catch (fault) {
      faults.push(`${name}: ${(fault as Error).message}`);
    }
  }
  if (faults.length === 0) faults.push(...contradictions(settings));
  if (faults.length > 0) throw new StartError(`Wrong settings. ${faults.join('; ')}`);
  return settings;
}

function readSetting(environment: Environment, name: string, parse: Parse): Partial<Settings> {
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

function contradictions(settings: Settings): string[] {
  const faults = (['EXPIRE_AFTER_DAYS', 'EXPIRE_AFTER_VIEWS'] as const)
    .filter((name) => {
      const standard = settings[`${name}_DEFAULT`];
      return standard < settings[`${name}_MIN`] || standard > settings[`${name}_MAX`];
    })
    .map((name) => `${name}_DEFAULT: must lie between ${name}_MIN and ${name}_MAX`);

  const { FILE_STORAGE, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  if (FILE_STORAGE === 's3' && S3_BUCKET === undefined)
    faults.push('S3_BUCKET: is needed when FILE_STORAGE is s3');
  if ((S3_ACCESS_KEY_ID === undefined) !== (S3_SECRET_ACCESS_KEY === undefined)) {
    faults.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: come together or not at all');
  }
  return faults;
}
