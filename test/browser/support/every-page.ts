import { randomUUID } from 'node:crypto';
import type { Language } from '../../../src/web/texts/languages.js';
import { translatorFor } from '../../../src/web/texts/translator.js';
import type { RunningApp } from '../../support/start-app.js';
import type { Person } from './browser.js';

const HOSTILE = '<img src=x onerror="document.title=1"> & "quoted"';
const PASSWORD = 'seven wide green rivers';

/** Visits each page in each of its states, and calls `look` there. */
export async function everyPage(
  person: Person,
  { anonymous: api }: RunningApp,
  language: Language,
  look: (name: string) => Promise<void>,
): Promise<void> {
  const { page } = person;
  const t = translatorFor(language);
  const open = async (fields: object, name: string, showsAtOnce = true) => {
    const { html_url } = await api.push(fields);
    await person.visit(html_url);
    if (showsAtOnce) await person.waitForHeading(t.text('secret.title'));
    await look(name);
  };

  await person.visit('/');
  await look('home');
  await person.choose(t.text('home.views'), t.text('home.custom'));
  await person.choose(t.text('home.lifetime'), t.text('home.custom'));
  await person.fill({ [t.text('home.customViews')]: '1000', [t.text('home.customDays')]: '1000' });
  await page.getByText(t.text('home.generatorOptions')).first().click();
  await person.press(t.text('home.submit'));
  await page.locator('.fault').first().waitFor();
  await look('home-faults');
  await person.fill({ [t.text('home.payload')]: 'correct horse', [t.text('home.customViews')]: '3' });
  await person.choose(t.text('home.lifetime'), t.text('home.hours', { count: 1 }));
  await person.press(t.text('home.generatePassphrase'));
  await person.press(t.text('home.submit'));
  await person.waitForHeading(t.text('created.title'));
  await look('made');

  await open({ payload: 'correct horse\nbattery staple', retrieval_step: true }, 'open-step', false);
  await person.press(t.text('open.submit'));
  await person.waitForHeading(t.text('secret.title'));
  await page.getByText(t.text('secret.show')).click();
  await look('secret-shown');
  await open({ payload: 'x', passphrase: 'sesame' }, 'open-passphrase', false);
  await person.fill({ [t.text('open.passphrase')]: 'wrong' });
  await person.press(t.text('open.submit'));
  await page.locator('.fault').waitFor();
  await look('open-passphrase-wrong');
  await open({ payload: 'x'.repeat(3000), deletable_by_viewer: true, expire_after_views: 4 }, 'secret-long');
  await page.getByText(t.text('delete.summary')).click();
  await look('secret-delete');
  await person.press(t.text('delete.submit'));
  await person.waitForHeading(t.text('deleted.title'));
  await look('deleted');
  await open(
    { kind: 'url', payload: 'https://example.org/a/long/path?with=query', expire_after_views: 1 },
    'secret-url',
  );
  await page.reload();
  await person.waitForHeading(t.text('gone.title'));
  await look('gone');
  await open({ kind: 'qr', payload: 'WIFI:S:guests;T:WPA;P:correct horse;;' }, 'secret-qr');
  const { url_token } = await api.push({ payload: 'correct horse' });
  await person.visit(`/p/${url_token}/preview`);
  await look('preview');
  await person.visit('/nowhere');
  await look('not-found');

  await person.visit('/how-it-works');
  await look('how-it-works');

  await person.visit('/users/sign_in');
  await person.fill({ [t.text('signIn.email')]: 'nobody@example.org', [t.text('signIn.password')]: 'wrong' });
  await person.press(t.text('signIn.submit'));
  await look('sign-in-fault');
  await person.visit('/users/sign_up');
  await person.fill({
    [t.text('signIn.email')]: 'somebody@example.org',
    [t.text('signIn.password')]: 'short',
  });
  await person.press(t.text('signUp.submit'));
  await look('sign-up-fault');

  await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD, language);
  await look('pushes-none');
  await person.visit('/users/token');
  await person.fill({ [t.text('tokens.name')]: HOSTILE });
  await person.press(t.text('tokens.submit'));
  await look('tokens');
  await person.visit('/users/edit');
  await look('account');

  await person.visit('/');
  await page.getByRole('radio', { name: t.text('kind.file') }).check();
  await page.locator('#files').setInputFiles([
    { name: `${HOSTILE}.svg`, mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    { name: 'minutes of the meeting.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(300_000) },
  ]);
  await page.getByText(t.text('home.ownerFields')).click();
  await person.fill({ [t.text('home.name')]: HOSTILE, [t.text('home.note')]: HOSTILE });
  await look('home-signed-in');
  await person.press(t.text('home.submit'));
  await person.waitForHeading(t.text('created.title'));
  await look('made-signed-in');
  const link = await page.getByLabel(t.text('copy.link'), { exact: true }).inputValue();
  await person.visit(link);
  await person.press(t.text('open.submit'));
  await person.waitForHeading(t.text('secret.title'));
  await look('secret-files');
  await person.visit('/pushes');
  await look('pushes');
  await page.locator('.name').first().click();
  await look('audit');
  await page.getByText(t.text('delete.summary')).click();
  await person.press(t.text('delete.submit'));
  await look('audit-deleted');
  await person.visit('/pushes/expired');
  await look('pushes-expired');
}
