import { randomUUID } from 'node:crypto';
import type { RunningApp } from '../../support/start-app.js';
import type { Person } from './browser.js';

const HOSTILE = '<img src=x onerror="document.title=1"> & "quoted"';
const PASSWORD = 'seven wide green rivers';

/** Visits each page in each of its states, and calls `look` there. */
export async function everyPage(
  person: Person,
  { anonymous: api }: RunningApp,
  look: (name: string) => Promise<void>,
): Promise<void> {
  const { page } = person;
  const open = async (fields: object, name: string, showsAtOnce = true) => {
    const { html_url } = await api.push(fields);
    await person.visit(html_url);
    if (showsAtOnce) await person.waitForHeading('The secret');
    await look(name);
  };

  await person.visit('/');
  await look('home');
  await person.fill({ Views: '1000' });
  await person.press('Make the link');
  await page.locator('.fault').first().waitFor();
  await look('home-faults');
  await person.fill({ Secret: 'correct horse', Views: '3' });
  await person.press('Make the link');
  await person.waitForHeading('Your link is ready');
  await look('made');

  await open({ payload: 'correct horse\nbattery staple', retrieval_step: true }, 'open-step', false);
  await person.press('Open the secret');
  await person.waitForHeading('The secret');
  await page.getByText('Show the secret').click();
  await look('secret-shown');
  await open({ payload: 'x', passphrase: 'sesame' }, 'open-passphrase', false);
  await person.fill({ Passphrase: 'wrong' });
  await person.press('Open the secret');
  await page.locator('.fault').waitFor();
  await look('open-passphrase-wrong');
  await open({ payload: 'x'.repeat(3000), deletable_by_viewer: true, expire_after_views: 4 }, 'secret-long');
  await page.getByText('Delete it now').click();
  await look('secret-delete');
  await person.press('Yes, delete it for good');
  await person.waitForHeading('Deleted for good');
  await look('deleted');
  await open(
    { kind: 'url', payload: 'https://example.org/a/long/path?with=query', expire_after_views: 1 },
    'secret-url',
  );
  await page.reload();
  await person.waitForHeading('This link does not work');
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
  await person.fill({ 'E-mail': 'nobody@example.org', Password: 'wrong' });
  await person.press('Sign in');
  await look('sign-in-fault');
  await person.visit('/users/sign_up');
  await person.fill({ 'E-mail': 'somebody@example.org', Password: 'short' });
  await person.press('Make the account');
  await look('sign-up-fault');

  await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
  await look('pushes-none');
  await person.visit('/users/token');
  await person.fill({ 'What is it for?': HOSTILE });
  await person.press('Make the token');
  await look('tokens');
  await person.visit('/users/edit');
  await look('account');

  await person.visit('/');
  await page.getByRole('radio', { name: 'Files' }).check();
  await page.locator('#files').setInputFiles([
    { name: `${HOSTILE}.svg`, mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    { name: 'minutes of the meeting.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(300_000) },
  ]);
  await page.getByText('For you alone').click();
  await person.fill({ Name: HOSTILE, Note: HOSTILE });
  await look('home-signed-in');
  await person.press('Make the link');
  await person.waitForHeading('Your link is ready');
  await look('made-signed-in');
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  await person.visit(link);
  await person.waitForHeading('The secret');
  await look('secret-files');
  await person.visit('/pushes');
  await look('pushes');
  await page.locator('.name').first().click();
  await look('audit');
  await page.getByText('Delete it now').click();
  await person.press('Yes, delete it for good');
  await look('audit-deleted');
  await person.visit('/pushes/expired');
  await look('pushes-expired');
}
