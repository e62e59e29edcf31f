import { AdministratorsService } from '../../../src/auth/users/administrators.service.js';
import { codeOf, makeAuthenticationsOld, offeredIn } from '../../support/authenticator-app.js';
import type { Tour } from '../support/tour.js';
import { HOSTILE } from '../support/tour.js';

/** Signing up and in, tokens, the account, and pages for everybody. */
export async function accountPages({ running, person, signIn, t, look }: Tour): Promise<void> {
  const { page } = person;
  await person.visit('/nowhere');
  await look('not-found');
  await person.visit('/how-it-works');
  await look('how-it-works');

  await person.visit('/users/sign_in');
  await look('sign-in');
  await person.fill({ [t.text('signIn.email')]: 'nobody@example.org', [t.text('signIn.password')]: 'wrong' });
  await person.press(t.text('signIn.submit'));
  await look('sign-in-error');
  await person.visit('/users/sign_up');
  await look('sign-up');
  await person.fill({
    [t.text('signIn.email')]: 'somebody@example.org',
    [t.text('signIn.password')]: 'short',
  });
  await person.press(t.text('signUp.submit'));
  await look('sign-up-error');

  const user = await signIn();
  await person.visit('/users/signed_in?views=1');
  await look('signed-in');
  await person.visit('/users/token');
  await person.fill({ [t.text('tokens.name')]: HOSTILE });
  await person.press(t.text('tokens.submit'));
  await look('tokens');
  await page.reload();
  await look('tokens-repeated');
  await person.visit('/users/webhooks');
  await person.fill({ [t.text('webhooks.url')]: 'https://10.0.0.1/' });
  await person.press(t.text('webhooks.add'));
  await page.locator('#url-error').waitFor();
  await look('webhooks-error');
  await person.fill({ [t.text('webhooks.url')]: `https://hooks.example.org/${'long-token-'.repeat(20)}` });
  await person.press(t.text('webhooks.add'));
  await page.locator('#new-secret').waitFor();
  await look('webhooks');
  await person.visit('/users/edit');
  await look('account');
  await page.locator('summary', { hasText: t.text('account.delete') }).click();
  await page.locator('#delete-password').fill('wrong');
  await person.press(t.text('delete.submit'));
  await page.locator('#delete-password-error').waitFor();
  await look('account-error');

  await person.visit('/users/sessions');
  await look('sessions');
  await person.visit('/users/second_factor');
  const { secret } = offeredIn(await page.content());
  await look('second-factor');
  await person.fill({ [t.text('secondFactor.newCode')]: '000000' });
  await person.press(t.text('secondFactor.addSubmit'));
  await page.locator('#new_code-error').waitFor();
  await look('second-factor-error');
  await person.fill({ [t.text('secondFactor.newCode')]: await codeOf(secret) });
  await person.press(t.text('secondFactor.addSubmit'));
  await page.locator('#codes').waitFor();
  await look('recovery-codes');
  await makeAuthenticationsOld(running, user);
  await person.visit('/users/second_factor');
  await look('second-factor-manage');
  await person.visit('/users/edit');
  await look('account-proof');

  await running.app.get(AdministratorsService).promote(user);
  await person.visit('/admin');
  await look('overview');
}
