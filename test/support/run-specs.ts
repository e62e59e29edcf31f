import { join } from 'node:path';

/** The paths of the specs that the project runs, by the folder of a suite; jest.config.js sets them. */
const { specs } = globalThis as unknown as { specs: Record<string, string[]> };

/** Runs the specs of a folder as one test file, which loads the app once. See docs/decisions/0021. */
export function runSpecs(folder: string): void {
  for (const path of specs[folder] ?? [])
    describe(path, () => {
      afterAll(() => jest.restoreAllMocks());
      jest.requireActual(join(__dirname, '../..', path));
    });
}
