import { LANGUAGE_CODES } from '../../src/texts/languages.js';
import { translatorFor } from '../../src/texts/translator.js';
import { errorsOf } from './support/look.js';
import { startSite } from './support/site.js';
import { administrationPages } from './tours/administration.js';
import { accountPages } from './tours/account.js';
import { listPages } from './tours/list.js';
import { recipientPages } from './tours/recipient.js';
import { senderPages } from './tours/sender.js';
import { pagesWithoutScripts } from './tours/without-scripts.js';

const TOURS = {
  administrationPages,
  senderPages,
  recipientPages,
  accountPages,
  listPages,
  pagesWithoutScripts,
};

describe.each(LANGUAGE_CODES)(
  'Each page in %s is accessible, fits, requests nothing from other sites and logs no errors, light and dark, narrow and wide',
  (language) => {
    const site = startSite({
      settings: { MAX_FILE_SIZE: '1000000' },
      browser: { reducedMotion: 'reduce', locale: language },
      expected: /ERR_INTERNET_DISCONNECTED|status of 503|'integrity'/,
    });

    it.each(Object.entries(TOURS))(
      '%s',
      async (_, visit) => {
        const errors: string[] = [];
        const look = async (name: string) => {
          errors.push(...(await errorsOf(site.person.page, `${name}-${language}`)));
        };

        await visit({ ...site, t: translatorFor(language), look });

        expect(errors).toEqual([]);
      },
      180_000,
    );
  },
);
