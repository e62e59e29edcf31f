import { pushFiles } from '../../support/files.js';
import type { Tour } from '../support/tour.js';

/** What those see whose browser runs no scripts, where that is different. */
export async function pagesWithoutScripts({ person, signIn, t, look }: Tour): Promise<void> {
  // axe itself is a script, so those of the pages are replaced by nothing
  await person.context.route('**/assets/**/*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  );
  await person.visit('/');
  await look('without-scripts-home');
  await person.fill({ [t.text('script.labelText')]: 'correct horse', [t.text('home.passphrase')]: 'sesame' });
  await person.choose(t.text('home.views'), t.text('home.custom'));
  await person.fill({ [t.text('home.customViews')]: '1000' });
  await person.press(t.text('home.submit'));
  await look('without-scripts-home-errors');
  await person.fill({ [t.text('script.labelText')]: 'correct horse', [t.text('home.passphrase')]: 'sesame' });
  await person.fill({ [t.text('home.customViews')]: '3' });
  await person.press(t.text('home.submit'));
  await person.waitForHeading(t.text('created.title'));
  await look('without-scripts-made');
  await person.visit(await person.page.locator('#link').inputValue());
  await look('without-scripts-open-passphrase');
  await person.fill({ [t.text('open.passphrase')]: 'wrong' });
  await person.press(t.text('open.submit'));
  await look('without-scripts-open-passphrase-wrong');

  await person.visit('/users/sign_in');
  await look('without-scripts-sign-in');
  await person.visit('/users/sign_up');
  await look('without-scripts-sign-up');
  const { client } = await signIn();
  await client.push({ payload: 'x', name: 'Router of the guest network' });
  await person.visit('/pushes');
  await look('without-scripts-pushes');
  await person.visit('/');
  await person.page.getByRole('radio', { name: t.text('kind.file') }).check();
  await person.press(t.text('home.submit'));
  await look('without-scripts-home-no-files');

  const files = [{ name: 'minutes.txt', content: 'x' }];
  const { html_url } = await pushFiles(client, files, { payload: 'correct horse', retrieval_step: 'true' });
  await person.visit(html_url as string);
  await look('without-scripts-open-step');
  await person.press(t.text('open.submit'));
  await person.waitForHeading(t.text('secret.titleFiles', { count: files.length }));
  await look('without-scripts-secret');
}
