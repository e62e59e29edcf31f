import { startSite } from './support/site.js';

const LATIN = ['geist-latin.woff2', 'geist-mono-latin.woff2'];

describe('The typefaces', () => {
  const { person } = startSite();

  const loaded = async (): Promise<string[]> => {
    await person.page.evaluate('document.fonts.ready.then(() => undefined)');
    return person.page.evaluate(
      `performance.getEntriesByType('resource').map(({ name }) => name.split('/').pop())
        .filter((name) => name.endsWith('.woff2')).sort()`,
    );
  };

  it.each([
    ['en', LATIN],
    ['de', LATIN],
    ['fr', LATIN],
    ['ar', LATIN],
    ['cs', ['geist-czech-polish.woff2', ...LATIN]],
    ['pl', ['geist-czech-polish.woff2', ...LATIN]],
  ])('of the front page in %s are those of the letters in it', async (language, files) => {
    await person.visit(`/?locale=${language}`);

    expect(await loaded()).toEqual(files);
  });

  it('of other letters are loaded once these are shown', async () => {
    await person.visit('/');
    await person.fill({ Secret: '25 £' });

    expect(await loaded()).toEqual([...LATIN, 'geist-mono-latin-ext.woff2'].sort());
  });
});
