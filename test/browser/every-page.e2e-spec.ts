import { LANGUAGE_CODES } from '../../src/web/texts/languages.js';
import { everyPage } from './support/every-page.js';
import { faultsOf } from './support/look.js';
import { startSite } from './support/site.js';

describe.each(LANGUAGE_CODES)('Every page in %s', (language) => {
  const { running, person } = startSite({ browser: { reducedMotion: 'reduce', locale: language } });

  it('is accessible, fits, requests nothing from other sites and logs no errors, light and dark, narrow and wide', async () => {
    const faults: string[] = [];

    await everyPage(person, running, language, async (name) => {
      faults.push(...(await faultsOf(person.page, `${name}-${language}`)));
    });

    expect(faults).toEqual([]);
  }, 180_000);
});
