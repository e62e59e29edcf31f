import type { Provider } from '@nestjs/common';
import { describeIgnoredNames } from './names.js';
import { AllSettings, faultsOf, readSome, readValidSettings } from './read-settings.js';
import type { SettingsClass } from './setting.js';
import { Settings } from './settings.js';

/**
 * The settings that this process was started with, of all classes.
 * @throws StartError
 */
export function allCurrentSettings(): AllSettings {
  return new AllSettings(process.env);
}

/** @throws StartError */
export function currentSettings(): Settings {
  return allCurrentSettings().of(Settings);
}

/**
 * Where the service listens.
 * @throws StartError
 */
export function currentAddress(): Pick<Settings, 'HOST' | 'PORT'> {
  return readSome(process.env, ['HOST', 'PORT']);
}

/** The modules to load before the settings are read: they may declare some, and all are checked together. */
export function currentModules(): string[] {
  return readValidSettings(process.env).MODULES;
}

/** How many processes are to serve, to know what to load at all. */
export function currentWorkers(): number {
  return readValidSettings(process.env).WORKERS;
}

/** What is wrong with the settings when modules cannot be loaded: unknown names may be settings of theirs. */
export function currentFaults(): string[] {
  return faultsOf(process.env);
}

/** Lets a module inject a class of its own whose properties are declared with `@Setting`. */
export function provideSettings(type: SettingsClass): Provider {
  return { provide: type, inject: [AllSettings], useFactory: (all: AllSettings) => all.of(type) };
}

/** A sentence about variables of this process that begin like settings and are not; undefined if there are none. */
export function describeIgnoredSettings(): string | undefined {
  return describeIgnoredNames(process.env);
}
