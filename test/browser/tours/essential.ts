import { newSignedInUser, PASSWORD } from '../../support/page-client.js';
import type { Tour } from '../support/tour.js';

/** The twelve states that most people see: of a sender, a recipient, somebody who is asked for a secret, and an owner. */
export async function essentialPages(tour: Tour): Promise<void> {
  await ofSender(tour);
  await ofRecipient(tour);
  await ofOwner(tour);
}

async function ofSender({ person, t, look }: Tour): Promise<void> {
  const { page } = person;
  await person.visit('/');
  await look('home');
  await page.evaluate("for (const fold of document.querySelectorAll('form#make details')) fold.open = true");
  await look('home-options');
  await page.locator('#payload').fill('correct horse');
  await person.press(t.text('home.submit'));
  await person.waitForHeading(t.text('created.title'));
  await look('created');
}

async function ofRecipient({ person, running, t, look }: Tour): Promise<void> {
  const { page } = person;
  const { html_url, url_token } = await running.anonymous.push({
    payload: 'correct horse',
    passphrase: 'sesame',
  });
  await person.visit(html_url);
  await person.fill({ [t.text('open.passphrase')]: 'wrong' });
  await person.press(t.text('open.submit'));
  await page.locator('#open-error:not(:empty)').waitFor();
  await look('open');
  await person.fill({ [t.text('open.passphrase')]: 'sesame' });
  await person.press(t.text('open.submit'));
  await person.waitForHeading(t.text('secret.title'));
  await look('secret');
  await running.anonymous.delete(`/api/v2/pushes/${url_token}`);
  await person.visit(`/p/${'x'.repeat(43)}`);
  await look('gone');
}

async function ofOwner({ person, running, t, look }: Tour): Promise<void> {
  const { email, pageClient } = await newSignedInUser(running);
  await person.visit('/users/sign_in');
  await look('sign-in');
  await person.fill({ [t.text('signIn.email')]: email, [t.text('signIn.password')]: PASSWORD });
  await person.press(t.text('signIn.submit'));
  await person.waitForHeading(t.text('list.title'));
  const created = await pageClient.post('/', {
    'push[kind]': 'text',
    'push[payload]': 'x',
    'push[name]': 'A',
  });
  await person.visit('/pushes');
  await look('list');
  const [link = ''] = /\/p\/[\w-]{43}/.exec(created.body) ?? [];
  await person.visit(`${link}/audit`);
  await look('activity');
  await person.visit('/users/edit');
  await look('account');
  await person.visit('/requests/new');
  await look('new-request');
  await person.visit('/how-it-works');
  await look('how-it-works');
}
