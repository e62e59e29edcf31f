import { pushEndToEnd } from '../../support/end-to-end-push.js';
import { pushFiles } from '../../support/files.js';
import type { Tour } from '../support/tour.js';
import { answerForms, HOSTILE } from '../support/tour.js';

/** What recipients see before and after they open a link. */
export async function recipientPages(tour: Tour): Promise<void> {
  await texts(tour);
  await openedBefore(tour);
  await passphrases(tour);
  await otherKinds(tour);
  await files(tour);
  await links(tour);
  await endToEnd(tour);
  await refusals(tour);
}

async function open({ person, running, t }: Tour, fields: object): Promise<void> {
  const { html_url } = await running.anonymous.push(fields);
  await person.openLink(html_url);
  await person.waitForHeading(t.text('secret.title'));
}

async function texts(tour: Tour): Promise<void> {
  const { person, t, look } = tour;
  await open(tour, { payload: 'x'.repeat(3000), deletable_by_viewer: true, expire_after_views: 4 });
  await look('secret-long');
  await person.page.getByText(t.text('delete.summary')).click();
  await look('secret-delete');
  await person.press(t.text('delete.submit'));
  await person.waitForHeading(t.text('deleted.title'));
  await look('deleted');
}

async function openedBefore({ person, running, t, look }: Tour): Promise<void> {
  const { page } = person;
  const { html_url } = await running.anonymous.push({
    payload: 'correct horse\nbattery staple',
    retrieval_step: true,
  });
  await person.visit(html_url);
  await look('open-step');
  await person.press(t.text('open.submit'));
  await person.waitForHeading(t.text('secret.title'));
  await look('secret-shown');
  await person.press(t.text('secret.hide'));
  await look('secret-hidden');
  await page.reload();
  await page.getByRole('button', { name: t.text('open.again') }).waitFor();
  await look('open-again');
  await answerForms(person, { status: 200, body: 'proxy' });
  await person.press(t.text('open.again'));
  await page.locator('#open-error:not(:empty)').waitFor();
  await look('open-lost');
  await page.unrouteAll();
  await page.reload();
  await page.getByText(t.text('open.sent')).waitFor();
  await look('open-lost-reload');
}

async function passphrases({ person, running, t, look }: Tour): Promise<void> {
  const { page } = person;
  const { html_url } = await running.anonymous.push({ payload: 'x', passphrase: 'sesame' });
  await person.visit(html_url);
  await look('open-passphrase');
  await page.goto('about:blank');
  await person.visit(`${html_url}#1${'A'.repeat(43)}`);
  await person.waitForHeading(t.text('open.swappedTitle'));
  await look('open-swapped');
  await page.goto('about:blank');
  await person.visit(html_url);
  await person.fill({ [t.text('open.passphrase')]: 'wrong' });
  await person.press(t.text('open.submit'));
  await page.locator('#open-error:not(:empty)').waitFor();
  await look('open-passphrase-wrong');
  await answerForms(person, { status: 429, headers: { 'Retry-After': '30' }, body: '{}' });
  await person.press(t.text('open.submit'));
  await page.getByText(t.text('formError.passphraseWrong')).waitFor({ state: 'detached' });
  await look('open-too-many');
  await page.unrouteAll();
}

async function otherKinds(tour: Tour): Promise<void> {
  const { person, t, look } = tour;
  const address = 'https://example.org/a/long/path?with=query';
  await open(tour, { kind: 'url', payload: address, expire_after_views: 1 });
  await look('secret-url');
  await person.page.reload();
  await person.waitForHeading(t.text('open.openedTitle'));
  await look('gone-opened');
  await person.visit(`/p/${'a'.repeat(43)}`);
  await person.waitForHeading(t.text('gone.title'));
  await look('gone');
  await open(tour, { kind: 'qr', payload: 'WIFI:S:guests;T:WPA;P:correct horse;;' });
  await look('secret-qr');
}

async function files({ person, signIn, t, look }: Tour): Promise<void> {
  const { page } = person;
  const { client } = await signIn();
  const content = [
    { name: 'minutes of the meeting.pdf', content: Buffer.alloc(300_000) },
    { name: `${HOSTILE}.svg`, content: '<svg/>' },
    { name: 'a-name-without-spaces-that-is-far-too-long-for-one-line-on-a-telephone.ods', content: 'x' },
  ];
  const { html_url } = await pushFiles(client, content, { expire_after_views: '2' });
  await person.context.clearCookies({ name: 'sealpush' });
  await person.openLink(html_url as string);
  await person.waitForHeading(t.text('secret.titleFiles', { count: 3 }));
  await look('secret-files');
  await page.route('**/files/*', (route) => route.fulfill({ status: 403 }));
  await page.locator('[data-download] a').first().click();
  await page.locator('[data-download] a[aria-disabled]').first().waitFor();
  await look('secret-files-expired');
  await page.unrouteAll();
  await person.visit('/files/x');
  await look('download-ended');
}

async function links({ person, running, look }: Tour): Promise<void> {
  const { url_token } = await running.anonymous.push({ payload: 'correct horse' });
  await person.visit(`/p/${url_token}/preview`);
  await look('preview');
  await person.visit(`/p/${url_token}/delete#key`);
  await look('delete-by-key');
}

async function endToEnd(tour: Tour): Promise<void> {
  const { person, running, t, look } = tour;
  const { page } = person;
  const { url, fragment } = await pushEndToEnd(running.anonymous, {
    kind: 'qr',
    text: HOSTILE,
    passphrase: 'sesame',
  });
  await person.visit(url);
  await person.waitForHeading(t.text('endToEnd.incompleteTitle'));
  await look('end-to-end-incomplete');
  await insideApp(tour);
  await person.visit(`${url}%23${fragment}`);
  await page.locator('[data-when-repaired]').waitFor();
  await page.getByText(t.text('endToEnd.commands')).click();
  await look('end-to-end-open');
  await person.fill({ [t.text('open.passphrase')]: 'sesame' });
  await person.press(t.text('open.submit'));
  await page.locator('svg.qr').waitFor();
  await look('end-to-end-secret');
}

async function insideApp({ person: { page }, running, t, look }: Tour): Promise<void> {
  const { link } = await pushEndToEnd(
    running.anonymous,
    { text: HOSTILE, passphrase: 'sesame' },
    { hides_contents: 'true' },
  );
  await page.setExtraHTTPHeaders({ 'User-Agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 8; wv)' });
  await page.goto('about:blank');
  await page.goto(link);
  await page.locator('#link').waitFor();
  await look('open-inside-app');
  await page.getByText(t.text('open.hereAnyway')).click();
  await look('open-inside-app-anyway');
  await page.setExtraHTTPHeaders({});
}

async function refusals({ person, running, look }: Tour): Promise<void> {
  const opens_at = new Date(Date.now() + 3_600_000).toISOString();
  for (const [name, limit] of [
    ['open-later', { opens_at }],
    ['open-elsewhere', { allowed_networks: '192.0.2.1' }],
    ['open-first-view', { expire_after_first_view: 4, retrieval_step: true }],
  ] as const) {
    await person.visit((await running.anonymous.push({ payload: 'x', ...limit })).html_url);
    await look(name);
  }
}
