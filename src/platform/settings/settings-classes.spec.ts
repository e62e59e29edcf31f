import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsFilesIn } from './settings-classes.js';

it('Files with settings have the name of their folder, in features and in your own modules', () => {
  const source = mkdtempSync(join(tmpdir(), 'sealpush-source-'));
  const files = [
    'custom/usage/usage',
    'features/roses/other',
    'features/tulips/tulips',
    'features/daisies/daisies',
  ];
  for (const file of files) {
    mkdirSync(join(source, file, '..'), { recursive: true });
    for (const end of ['settings.js', 'settings.d.ts', 'module.js'])
      writeFileSync(join(source, `${file}.${end}`), '');
  }
  const found = settingsFilesIn(source, '.js');
  rmSync(source, { recursive: true });

  expect(found.map((path) => path.slice(source.length))).toEqual([
    '/features/daisies/daisies.settings.js',
    '/features/tulips/tulips.settings.js',
    '/custom/usage/usage.settings.js',
  ]);
});
