import { AccountAdministration } from '../../../src/auth/users/account-administration.js';
import { AdministratorsService } from '../../../src/auth/users/administrators.service.js';
import { UsersService } from '../../../src/auth/users/users.service.js';
import { linkIn, mailsTo } from '../../support/mailbox.js';
import type { MailServer } from '../../support/mail-server.js';
import { askForCode, codeIn, openWith } from '../../support/recipients.js';
import { PASSWORD } from '../../support/page-client.js';
import type { Tour } from '../support/tour.js';

/** What is different where mails are sent: signing up, a forgotten password, changing the address, invitations. */
export async function mailPages(tour: Tour, server: MailServer): Promise<void> {
  const { running, person, t, look } = tour;
  const { page } = person;
  const email = `${'long-name-'.repeat(6)}@example.org`;
  const openMail = async (to: string) => {
    const link = linkIn((await mailsTo(running, server, to)).at(-1));
    await person.visit(link);
  };
  const ask = async (address: string, submit: string) => {
    await person.fill({ [t.text('signIn.email')]: address });
    await person.press(submit);
  };
  const choose = async (next = t.text('signIn.title')) => {
    await person.fill({ [t.text('account.newPassword')]: PASSWORD });
    await person.press(t.text('choosePassword.submit'));
    await person.waitForHeading(next);
  };
  const signIn = async (address: string) => {
    await person.visit('/users/sign_in');
    await person.fill({ [t.text('signIn.email')]: address, [t.text('signIn.password')]: PASSWORD });
    await person.press(t.text('signIn.submit'));
    await person.waitForHeading(t.text('list.title'));
  };

  await person.visit('/users/sign_up');
  await look('mail-sign-up');
  await ask('ada@example', t.text('signUp.mailSubmit'));
  await page.locator('#email-error').waitFor();
  await look('mail-sign-up-error');
  await ask(email, t.text('signUp.mailSubmit'));
  await person.waitForHeading(t.text('mailSent.title'));
  await look('mail-sent');
  await openMail(email);
  await look('mail-choose-password');
  await choose(t.text('list.title'));
  await person.signOut(t.text('site.signOut'));
  await look('mail-sign-in');

  await page.getByRole('link', { name: t.text('signIn.forgot') }).click();
  await person.waitForHeading(t.text('forgotten.title'));
  await look('forgotten-password');
  await ask('ada@example', t.text('forgotten.submit'));
  await page.locator('#email-error').waitFor();
  await look('forgotten-password-error');
  await ask(email, t.text('forgotten.submit'));
  await person.waitForHeading(t.text('mailSent.title'));
  await look('mail-sent-for-password');
  await openMail(email);
  await choose();

  await running.app
    .get(UsersService)
    .create({ email: 'unverified@example.org', password: PASSWORD, emailUnverified: true });
  await signIn('unverified@example.org');
  await person.visit('/users/edit');
  await look('account-unverified');
  await person.press(t.text('account.unverifiedSubmit'));
  await page.getByText(t.text('account.emailSent')).waitFor();
  await look('account-mail-sent');
  await openMail('unverified@example.org');
  await look('verify-email');
  await person.press(t.text('verifyEmail.submit'));
  await page.getByText(t.text('account.emailVerified')).waitFor();
  const changed = `changed-${email.slice(10)}`;
  await person.fill({ [t.text('account.newEmail')]: changed });
  await page.locator('#email-password').fill(PASSWORD);
  await person.press(t.text('account.sendLink'));
  await openMail(changed);
  await look('verify-new-email');
  const accounts = running.app.get(AccountAdministration);
  await running.app.get(UsersService).create({ email: changed, password: PASSWORD, emailUnverified: true });
  await person.press(t.text('verifyEmail.submit'));
  await page.locator('[role=alert]').waitFor();
  await look('verify-new-email-taken');
  await person.context.clearCookies({ name: 'sealpush' });

  await running.app.get(AdministratorsService).promote(await accounts.find(email));
  await signIn(email);
  await person.visit('/admin/accounts');
  await look('mail-accounts');
  await person.visit('/admin/accounts?invite');
  await ask('invited@example.org', t.text('admin.inviteByMailSubmit'));
  await page.getByText(t.text('admin.doneInvite')).waitFor();
  await look('mail-account-invited');

  await person.visit('/users/notices');
  await look('notices');
  await page.locator('#first_view').check();
  await person.press(t.text('notices.submit'));
  await page.getByText(t.text('notices.saved'), { exact: true }).waitFor();
  await look('notices-saved');
  await person.visit('/');
  await page.locator('#payload').fill('tulip');
  await (await person.unfolded(page.locator('[name=encryption][value=server]'))).check();
  await (await person.unfolded(page.locator('#notify_emails_to'))).fill('ada@example.org');
  await look('home-with-recipients');
  await page.locator('#ended_unseen').check();
  await look('home-with-notices');
  await person.press(t.text('home.submit'));
  await page.getByText(t.text('mailLink.sent', { count: 1 })).waitFor();
  await look('created-and-mailed');
  await page.getByRole('link', { name: t.text('created.activity') }).click();
  await page.getByText(t.text('notices.toYou')).waitFor();
  await (await person.unfolded(page.locator('#notify_emails_to'))).fill('ada');
  await person.press(t.text('mailLink.submit'));
  await page.locator('#notify_emails_to-error').waitFor();
  await look('audit-mail-error');
  await recipients(tour, server);
}

/** A push that names who can open it: for its sender, for recipients, and for its owner afterwards. */
async function recipients({ running, person, t, look }: Tour, server: MailServer): Promise<void> {
  const { page } = person;
  const [email, other] = ['ada@example.org', `${'long-name-'.repeat(6)}@example.net`];
  await person.visit('/');
  await page.locator('#payload').fill('tulip');
  await (await person.unfolded(page.locator('[name=encryption][value=server]'))).check();
  const field = await person.unfolded(page.locator('#recipients'));
  await field.fill('ada');
  await person.press(t.text('home.submit'));
  await page.locator('#recipients-error').waitFor();
  await look('home-with-wrong-recipients');
  await field.fill(`${email}, ${other}, @example.com`);
  await page.locator('#once_per_recipient').check();
  await look('home-with-only-these');
  await person.press(t.text('home.submit'));
  await person.waitForHeading(t.text('created.title'));
  await look('created-for-recipients');
  await page.getByRole('link', { name: t.text('created.activity') }).click();
  await page.getByRole('heading', { name: t.text('audit.who') }).waitFor();
  const [, urlToken = ''] = /\/p\/([\w-]{43})/.exec(page.url()) ?? [];
  await (await person.unfolded(page.locator('#add'))).fill('ada');
  await person.press(t.text('recipients.addSubmit'));
  await page.locator('#add-error').waitFor();
  await look('audit-recipient-error');
  await askForCode(running.anonymous, urlToken, `${'mallory-'.repeat(7)}@example.net`);
  await openWith(running.anonymous, urlToken, email, '00000000');
  await mailsTo(running, server, email); // once they are written, it is in the log
  await person.visit(`/p/${urlToken}/audit`);
  await page.getByText(t.text('audit.noCodeSent')).waitFor();
  await look('audit-refused');

  await person.context.clearCookies({ name: 'sealpush' });
  await person.visit(`/p/${urlToken}`);
  await look('open-recipient');
  await person.fill({ [t.text('open.email')]: email });
  await person.press(t.text('open.sendCode'));
  await page.getByLabel(t.text('open.code')).waitFor();
  await page.getByText(t.text('open.newCode')).click();
  await look('open-code');
  await person.fill({ [t.text('open.code')]: '1' });
  await person.press(t.text('open.submit'));
  await page.locator('#open-error:not(:empty)').waitFor();
  await look('open-code-wrong');
  await person.fill({ [t.text('open.code')]: codeIn((await mailsTo(running, server, email)).at(-1)) });
  await person.press(t.text('open.submit'));
  await person.waitForHeading(t.text('secret.title'));
}
