import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { allSettings } from '../../src/platform/settings/settings-classes.js';
import { Settings } from '../../src/platform/settings/settings.js';
import { defaultOf, settingsDocument } from '../../tools/settings/settings-document.js';

const GROUPS = [
  'Server',
  'Database and master keys',
  'Accounts',
  'Single sign-on',
  'Pushes',
  'Who may create, and what',
  'Files',
  'Mail',
  'Brand',
  'Languages',
  'Limits',
  'Logging',
  'Generator',
  'Requests',
  'Uploads in parts',
  'Webhooks',
];

describe('docs/settings.md', () => {
  const document = readFileSync('docs/settings.md', 'utf8');

  it('is what `npm run settings` writes', () => {
    expect(document).toBe(settingsDocument());
  });

  it('has every setting in a group, with values and a meaning', () => {
    const rows = [...document.matchAll(/^\| `([A-Z0-9_]+)` \| `[^`]+` \| \S.* \| [A-Z`].*\. \|$/gm)];

    expect(rows.map(([, name]) => name).sort()).toEqual([...allSettings().keys()].sort());
    expect([...document.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(GROUPS);
  });
});

describe('Reading the settings', () => {
  it('loads nothing of the features but their settings, and no framework', () => {
    const script = `
      require('./dist/platform/settings/current-settings.js').currentSettings();
      console.log(JSON.stringify(Object.keys(require.cache)));`;
    const output = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env: {} });
    const loaded = JSON.parse(output) as string[];
    const ofFeatures = loaded.filter((path) => path.includes('/dist/features/'));

    expect(ofFeatures.length).toBeGreaterThan(4);
    expect(ofFeatures.filter((path) => !path.endsWith('.settings.js'))).toEqual([]);
    expect(loaded.filter((path) => /node_modules\/(@nestjs|typeorm)\//.test(path))).toEqual([]);
  });
});

describe('The README', () => {
  it('has five settings, with their defaults', () => {
    const rows = [...readFileSync('README.md', 'utf8').matchAll(/^\| `([A-Z0-9_]+)` +\| `([^`]+)` +\|/gm)];
    const settings = new Settings();

    expect(rows).toHaveLength(5);
    for (const [, name = '', value] of rows)
      expect([name, value]).toEqual([name, defaultOf(settings[name as keyof Settings])]);
  });
});
