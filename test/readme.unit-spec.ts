import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { readSettings } from '../src/settings/read-settings.js';
import { declaredSettings } from '../src/settings/setting.js';

/** A row such as | `PORT` | `5100` | meaning | */
const ROW = /^\| `([A-Z][A-Z0-9_]*)`\s*\| (`[^`]*`|–)\s*\| (.*\S)\s*\|$/gm;

describe('The README’s table of settings', () => {
  const rows = [...readFileSync('README.md', 'utf8').matchAll(ROW)].map(
    ([, name = '', standard = '', meaning = '']) => ({ name, standard, meaning }),
  );

  it('names every setting once, and nothing else', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual([...declaredSettings().keys()].sort());
  });

  it('tells the defaults that apply', () => {
    const told = Object.fromEntries(rows.map(({ name, standard }) => [name, standard]));
    const settings = readSettings({}) as unknown as Record<string, Default>;
    const names = [...declaredSettings().keys()];

    expect(told).toEqual(Object.fromEntries(names.map((name) => [name, spelled(name, settings[name])])));
  });

  it('says what each is for', () => {
    expect(rows.filter(({ meaning }) => meaning.length < 10)).toEqual([]);
  });
});

type Default = string | number | boolean | string[] | undefined;

/** A default as the table spells it. */
function spelled(name: string, value: Default): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '–';
  return name === 'DATA_DIR' ? `\`./${relative('.', String(value))}\`` : `\`${String(value)}\``;
}
