import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { declaredSettings } from '../../src/settings/setting.js';
import { Settings } from '../../src/settings/settings.js';

describe('The table of settings in the README', () => {
  it('lists every setting with its default, in the order of the code', () => {
    const settings = new Settings();
    const declared = [...declaredSettings().keys()].map((name) => [
      name,
      asDocumented(settings[name as keyof Settings]),
    ]);

    expect(documentedSettings()).toEqual(declared);
  });
});

function documentedSettings(): string[][] {
  const rows = readFileSync('README.md', 'utf8').matchAll(/^\| `([A-Z0-9_]+)` \| `([^`]+)` \| \S.* \|$/gm);
  return [...rows].map(([, name = '', defaultValue = '']) => [name, defaultValue]);
}

function asDocumented(value: Settings[keyof Settings]): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '–';
  if (value === resolve('data')) return './data';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
