import { insertPushes } from '../../support/insert-pushes.js';
import type { Tour } from '../support/tour.js';
import { HOSTILE } from '../support/tour.js';

/** The list of an owner, and the activity of a push. */
export async function listPages({ person, running, signIn, t, look }: Tour): Promise<void> {
  const { page } = person;
  const { id, client } = await signIn();
  await person.visit('/pushes');
  await look('pushes-none');

  await client.push({ payload: 'x' });
  await client.push({ payload: 'x', name: 'Router of the guest network', expire_after_views: 1 });
  const { url_token } = await client.push({ payload: 'x', name: HOSTILE, note: HOSTILE });
  const mail = running.anonymous.with({ Referer: 'https://mail.example/inbox' });
  await mail.retrieve(url_token as string);
  await person.visit('/pushes');
  await page.locator('tbody input[type=checkbox]').first().check();
  await look('pushes');
  await page
    .getByRole('form')
    .getByRole('button', { name: t.text('list.delete') })
    .click();
  await page.locator('input[name=confirmed]').waitFor({ state: 'attached' });
  await look('delete-several');
  await person.visit('/pushes?done=deleted&deleted=2&unknown=1');
  await look('pushes-deleted');
  await page.getByRole('searchbox').fill('nothing');
  await page.getByText(t.text('filter.where')).waitFor();
  await look('pushes-no-match');
  await person.visit('/pushes?page=9');
  await look('pushes-past-end');
  await person.visit('/pushes');
  await page.locator('tbody summary').first().click();
  await look('pushes-menu');
  await page.getByRole('rowheader').getByRole('link').first().click();
  await page.locator('main time').first().waitFor();
  await look('audit');
  await page.locator('summary', { hasText: t.text('shorten.title') }).click();
  await person.fill({ [t.text('shorten.end')]: '2096-01-01T10:00' });
  await person.press(t.text('shorten.submit'));
  await page.locator('#expires_at-error').waitFor();
  await look('audit-not-shortened');
  const audit = new URL(page.url()).pathname.replace('/shorten', '/audit');
  await person.visit(`${audit}?page=9`);
  await look('audit-past-end');
  await person.visit(audit);
  await page.getByText(t.text('delete.summary')).click();
  await person.press(t.text('delete.submit'));
  await look('audit-deleted');
  await person.visit('/pushes/expired');
  await look('pushes-expired');
  const expiresAt = "'2096-01-01 00:00:00.000'";
  await insertPushes(running, 4, { batch: `a${id.slice(-12)}`, expiresAt, userId: id });
  await person.visit('/pushes?kind=file');
  await look('pushes-search-newest');
  await page.locator('p.quiet a').click();
  await look('pushes-search-older');
}
