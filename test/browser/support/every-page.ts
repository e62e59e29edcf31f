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
  await page.locator('.error').first().waitFor();
  await look('home-errors');
  await person.fill({ [t.text('script.labelText')]: 'correct horse', [t.text('home.customViews')]: '3' });
  await person.choose(t.text('home.lifetime'), t.text('home.hours', { count: 1 }));
  await person.press(t.text('home.generatePassphrase'));
  await person.press(t.text('home.submit'));
  await person.waitForHeading(t.text('created.title'));
  await look('made');
  const address = page.url();
  await person.visit('/');
  await person.visit(address);
  await person.waitForHeading(t.text('sealed.noLinkTitle'));
  await look('made-incomplete');

  await open({ payload: 'correct horse\nbattery staple', retrieval_step: true }, 'open-step', false);
  await person.press(t.text('open.submit'));
  await person.waitForHeading(t.text('secret.title'));
  await page.getByText(t.text('secret.show')).click();
  await look('secret-shown');
  await page.reload();
  await page.getByRole('button', { name: t.text('open.again') }).waitFor();
  await look('open-again');
  const answerOfAnother = { status: 200, body: 'proxy' };
  await page.route('**/p/*', (route) =>
    route.request().method() === 'POST' ? route.fulfill(answerOfAnother) : route.continue(),
  );
  await person.press(t.text('open.again'));
  await page.locator('#open-error:not(:empty)').waitFor();
  await look('open-lost');
  await page.unrouteAll();
  await page.reload();
  await page.getByText(t.text('open.sent')).waitFor();
  await look('open-lost-reload');
  await open({ payload: 'x', passphrase: 'sesame' }, 'open-passphrase', false);
  await person.fill({ [t.text('open.passphrase')]: 'wrong' });
  await person.press(t.text('open.submit'));
  await page.locator('#open-error:not(:empty)').waitFor();
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
  await person.visit(`/p/${url_token}/delete#key`);
  await look('delete-by-key');
  await person.visit(`/files/${'a'.repeat(43)}`);
  await look('download-ended');
  await person.visit('/nowhere');
  await look('not-found');

  await person.visit('/how-it-works');
  await look('how-it-works');

  await person.visit('/users/sign_in');
  await person.fill({ [t.text('signIn.email')]: 'nobody@example.org', [t.text('signIn.password')]: 'wrong' });
  await person.press(t.text('signIn.submit'));
  await look('sign-in-error');
  await person.visit('/users/sign_up');
  await person.fill({
    [t.text('signIn.email')]: 'somebody@example.org',
    [t.text('signIn.password')]: 'short',
  });
  await person.press(t.text('signUp.submit'));
  await look('sign-up-error');

  await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD, language);
  await look('pushes-none');
  await person.visit('/users/token');
  await person.fill({ [t.text('tokens.name')]: HOSTILE });
  await person.press(t.text('tokens.submit'));
  await look('tokens');
  await page.reload();
  await look('tokens-repeated');
  await person.visit('/users/edit');
  await look('account');
  await page.locator('summary', { hasText: t.text('account.delete') }).click();
  await page.locator('#delete-password').fill('wrong');
  await person.press(t.text('account.deleteSubmit'));
  await page.locator('#delete-password-error').waitFor();
  await look('account-error');

  await person.visit('/');
  await page.getByRole('radio', { name: t.text('kind.file') }).check();
  await page.locator('#files').setInputFiles([
    { name: `${HOSTILE}.svg`, mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    { name: 'minutes of the meeting.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(300_000) },
  ]);
  await page.getByText(t.text('home.ownerFields')).click();
  await person.fill({ [t.text('home.name')]: HOSTILE, [t.text('home.note')]: HOSTILE });
  await look('home-signed-in');
  await person.choose(t.text('sealed.choice'), t.text('sealed.byServer'));
  await person.press(t.text('home.submit'));
  await person.waitForHeading(t.text('created.title'));
  await look('made-signed-in');
  const link = await page.getByLabel(t.text('copy.link'), { exact: true }).inputValue();
  await person.visit(link);
  await person.press(t.text('open.submit'));
  await person.waitForHeading(t.text('secret.title'));
  await look('secret-files');
  await page.route('**/files/*', (route) => route.fulfill({ status: 403 }));
  await page.locator('.files a').first().click();
  await page.locator('.files a[aria-disabled]').first().waitFor();
  await look('secret-files-expired');
  await page.unrouteAll();
  await person.visit('/files/x');
  await look('download-ended');
  await person.visit('/pushes');
  await page.locator('.rows input[type=checkbox]').first().check();
  await look('pushes');
  await person.press(t.text('list.deleteSelected'));
  await page.locator('input[name=confirmed]').waitFor({ state: 'attached' });
  await look('delete-several');
  await person.visit('/pushes?deleted=2&unknown=1');
  await look('pushes-deleted');
  await person.visit('/pushes?q=nothing');
  await look('pushes-no-match');
  await person.visit('/pushes?page=9');
  await look('pushes-past-end');
  await person.visit('/pushes');
  await page.locator('.name').first().click();
  await page.locator('.client summary').first().click();
  await look('audit');
  await person.visit(`${new URL(page.url()).pathname}?page=9`);
  await look('audit-past-end');
  await page.goBack();
  await page.getByText(t.text('delete.summary')).click();
  await person.press(t.text('delete.submit'));
  await look('audit-deleted');
  await person.visit('/pushes/expired');
  await look('pushes-expired');
}
