import { LANGUAGE_CODES } from '../../src/texts/languages.js';
import { Translator } from '../../src/texts/translator.js';
import { errorsOf } from './support/look.js';
import { startSite } from './support/site.js';
import { forAllTests } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { administrationPages } from './tours/administration.js';
import { accountPages } from './tours/account.js';
import { mailPages } from './tours/mail.js';
import { listPages } from './tours/list.js';
import { recipientPages } from './tours/recipient.js';
import { requestPages } from './tours/requests.js';
import { senderPages } from './tours/sender.js';
import { providerPages } from './tours/provider.js';
import { pagesWithoutScripts } from './tours/without-scripts.js';

const TOURS = {
  administrationPages,
  senderPages,
  recipientPages,
  accountPages,
  providerPages,
  listPages,
  requestPages,
  pagesWithoutScripts,
};

/**
 * One that is long, one from right to left and one in another script; before a merge only the first. What else is wrong
 * is wrong in each language. Screenshots are of all.
 */
const LANGUAGES =
  process.env.SCREENSHOTS === undefined
    ? process.env.TEST_SCOPE === 'merge'
      ? (['de'] as const)
      : (['en', 'de', 'ar'] as const)
    : LANGUAGE_CODES;

describe.each(LANGUAGES)(
  'Each page in %s is accessible, fits, requests nothing from other sites and logs no errors, light and dark, narrow and wide',
  (language) => {
    const site = startSite({
      settings: { MAX_FILE_SIZE: '1000000', ENABLE_REQUESTS_API: 'true' },
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

        await visit({ ...site, t: new Translator(language), look });

        expect(errors).toEqual([]);
      },
      180_000,
    );
  },
);

describe.each(LANGUAGES)('The same is true in %s where mails are sent:', (language) => {
  const settings: Record<string, string> = {};
  const server = forAllTests(startMailServer);
  beforeAll(() => {
    Object.assign(settings, server.env, { PUBLIC_URL: 'http://push.example.org' }); // without TLS, as this browser
  });
  const site = startSite({ settings, browser: { reducedMotion: 'reduce', locale: language } });

  it('mailPages', async () => {
    const errors: string[] = [];
    const look = async (name: string) => {
      errors.push(...(await errorsOf(site.person.page, `${name}-${language}`)));
    };

    await mailPages({ ...site, t: new Translator(language), look }, server);

    expect(errors).toEqual([]);
  }, 180_000);
});
