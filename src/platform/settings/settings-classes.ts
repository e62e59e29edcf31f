import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import type { Parser, SettingsClass } from './setting.js';
import { declaredClasses, declaredSettings } from './setting.js';
import { Settings } from './settings.js';

const load = createRequire(__filename);
let ofFolders: SettingsClass[] | undefined;

/** Every class with settings: `Settings`, those in the folders of features, and those of modules that are loaded. */
export function settingsClasses(): SettingsClass[] {
  ofFolders ??= settingsFilesIn(join(__dirname, '../..'))
    .flatMap((path) => Object.values(load(path) as Record<string, SettingsClass>))
    .filter((exported) => declaredClasses().includes(exported));
  return [...new Set([Settings, ...ofFolders, ...declaredClasses()])];
}

/** The files with the settings of features and of your own modules, which can be loaded without the rest of them. */
export function settingsFilesIn(source: string, extension = extname(__filename)): string[] {
  return ['features', 'custom'].flatMap((folder) =>
    readdirSync(join(source, folder))
      .sort()
      .map((name) => join(source, folder, name, `${name}.settings${extension}`))
      .filter((path) => existsSync(path)),
  );
}

/** All settings with their parsers. */
export function allSettings(): ReadonlyMap<string, Parser> {
  return new Map(settingsClasses().flatMap((type) => [...declaredSettings(type)]));
}
