import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The path of a program, if it is installed.
 * @param places folders to look in, besides those of PATH
 */
export function pathOfProgram(name: string, places: string[] = []): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...places];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * The path of a program that some tests need. If it is missing, says loudly what is not tested; CI runs must have it.
 * @param places folders to look in, besides those of PATH
 */
export function findProgram(name: string, notTested: string, places: string[] = []): string | undefined {
  const found = pathOfProgram(name, places);
  if (found !== undefined) return found;

  const message = `NO ${name.toUpperCase()}: not tested that ${notTested}`;
  if (process.env.CI) throw new Error(message);
  console.error(`!!! ${message} !!!`);
  return undefined;
}
