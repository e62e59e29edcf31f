import { readSettings } from './read-settings.js';
import type { Settings } from './settings.js';

/**
 * The settings that this process was started with.
 * @throws StartError
 */
export function currentSettings(): Settings {
  return readSettings(process.env);
}
