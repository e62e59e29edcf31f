import type { Tour } from '../support/tour.js';
import { answerForms, HOSTILE, waitForAlert } from '../support/tour.js';

/** The form, what can go wrong with it, and the link. */
export async function senderPages(tour: Tour): Promise<void> {
  await firstSteps(tour);
  await lostConnections(tour);
  await otherOwners(tour);
  await files(tour);
  await largeFiles(tour);
}

async function firstSteps({ person, t, look }: Tour): Promise<void> {
  const { page } = person;
  await person.visit('/');
  await look('home');
  await person.choose(t.text('home.views'), t.text('home.custom'));
  await person.choose(t.text('home.lifetime'), t.text('home.custom'));
  await person.fill({ [t.text('home.customViews')]: '1000', [t.text('home.customDays')]: '1000' });
  await person.press(t.text('home.generate'));
  await page.getByText(t.text('home.generatorOptions')).first().click();
  await page.locator('[data-encryption] summary').click();
  await person.fill({
    [t.text('script.labelText')]: '',
    [t.text('home.firstView')]: '0',
    [t.text('home.opensAt')]: '2020-01-01T10:00',
    [t.text('home.networks')]: 'x',
  });
  await person.press(t.text('home.submit'));
  await page.locator('.error').first().waitFor();
  await look('home-errors');
  await person.fill({
    [t.text('script.labelText')]: 'correct horse',
    [t.text('home.customViews')]: '3',
    [t.text('home.firstView')]: '1',
    [t.text('home.opensAt')]: '',
    [t.text('home.networks')]: '127.0.0.0/8, ::1',
  });
  await person.choose(t.text('home.lifetime'), t.text('home.hours', { count: 1 }));
  await (await person.unfolded(page.locator('[data-generate=passphrase]'))).click();
  await person.press(t.text('home.submit'));
  await person.waitForHeading(t.text('created.title'));
  await look('made');
  await page.locator('summary', { hasText: t.text('kind.qr') }).click();
  await look('made-qr');
  const address = page.url();
  await person.visit('/');
  await person.visit(address);
  await person.waitForHeading(t.text('endToEnd.notYourPage'));
  await look('made-incomplete');
}

async function lostConnections({ person, t, look }: Tour): Promise<void> {
  const { page, context } = person;
  const send = () => person.press(t.text('home.submit'));
  await person.visit('/');
  await person.fill({ [t.text('script.labelText')]: 'correct horse' });
  await context.setOffline(true);
  await send();
  await waitForAlert(person);
  await look('home-offline');
  await context.setOffline(false);

  for (const [name, answer] of [
    ['home-busy', { status: 429, headers: { 'Retry-After': '90' } }],
    ['home-server-error', { status: 503 }],
    ['home-sign-in-needed', { status: 401, body: '{}' }],
  ] as const) {
    await answerForms(person, answer);
    await send();
    await waitForAlert(person);
    await look(name);
    await page.unrouteAll();
  }

  await answerForms(person, 'never');
  await send();
  await page.locator('[data-upload]').waitFor();
  await look('home-sending');
  await person.press(t.text('progress.cancel'));
  await waitForAlert(person);
  await look('home-cancelled');
  await page.unrouteAll();
}

/** The form was shown to another account, or to none. */
async function otherOwners({ person, signIn, t, look }: Tour): Promise<void> {
  await person.visit('/');
  await person.fill({ [t.text('script.labelText')]: 'correct horse' });
  await signIn();
  await person.press(t.text('home.submit'));
  await waitForAlert(person);
  await look('home-other-account');
  await person.fill({ [t.text('script.labelText')]: '' });

  await person.visit('/');
  await person.fill({ [t.text('script.labelText')]: 'correct horse' });
  await person.context.clearCookies({ name: 'sealpush' });
  await person.press(t.text('home.submit'));
  await waitForAlert(person);
  await look('home-signed-out');
  await person.fill({ [t.text('script.labelText')]: '' });
}

async function files({ person, signIn, t, look }: Tour): Promise<void> {
  const { page } = person;
  await signIn();
  await person.visit('/');
  await page.getByRole('radio', { name: t.text('kind.file') }).check();
  await look('home-no-files');
  const files = [
    { name: `${HOSTILE}.svg`, mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    { name: 'minutes of the meeting.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(300_000) },
  ];
  const large = { name: 'recording.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(1_000_001) };
  await page.locator('#files').setInputFiles([...files, large]);
  await page.locator('[data-files-error]:not(:empty)').waitFor();
  await look('home-large-file');
  await page.locator('[data-chosen] button').last().click();
  await person.fill({ [t.text('home.name')]: HOSTILE, [t.text('home.note')]: HOSTILE });
  await look('home-signed-in');
  await (await person.unfolded(page.locator('[name=encryption][value=server]'))).check();
  await person.press(t.text('home.submit'));
  await person.waitForHeading(t.text('created.title'));
  await look('made-signed-in');
}

/** Uploads that begin and do not end, as on a slow line, and what is left of them after a reload. */
async function largeFiles({ person, signIn, t, look }: Tour): Promise<void> {
  const { page } = person;
  const progress = { 'Upload-Offset': '4000000', 'Upload-Length': '9000000' };
  await page.route('**/uploads', (route) =>
    route.fulfill({ status: 201, headers: { Location: `/uploads/${'x'.repeat(43)}` } }),
  );
  let parts = 0;
  await page.route('**/uploads/*', async (route) => {
    const method = route.request().method();
    if (method === 'HEAD') await route.fulfill({ status: 200, headers: progress });
    else if (method === 'PATCH' && parts++ === 0) await route.fulfill({ status: 204, headers: progress });
  });
  await signIn();
  await person.visit('/');
  await page.getByRole('radio', { name: t.text('kind.file') }).check();
  await (await person.unfolded(page.locator('[name=encryption][value=server]'))).check();
  await page.locator('#files').evaluate((input: any) => {
    input.dataset.maxBytes = input.dataset.maxBytesInAll = 1e9;
  });
  const large = { name: `${HOSTILE}.mp4`, mimeType: 'video/mp4', buffer: Buffer.alloc(9_000_000) };
  await page.locator('#files').setInputFiles(large);
  const acknowledged = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await person.press(t.text('home.submit'));
  await acknowledged;
  await page.getByRole('button', { name: t.text('script.pauseUpload'), exact: true }).click();
  await page.getByText(t.text('script.uploadPaused'), { exact: true }).waitFor();
  await look('home-upload-paused');
  await page.reload();
  await page.getByText(t.text('script.unfinishedUploads')).waitFor();
  await look('home-interrupted-uploads');
  await page.getByRole('button', { name: t.text('script.deleteUpload'), exact: true }).click();
  await page.unrouteAll();
}
