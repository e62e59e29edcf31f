import { SetupCodes } from '../../../src/features/setup/setup-codes.js';
import { PASSWORD } from '../../support/page-client.js';
import type { Tour } from '../support/tour.js';

/** The first administrator, and the accounts. Before other tours, because there must be no administrator yet. */
export async function administrationPages({ running, person, t, look }: Tour): Promise<void> {
  const { page } = person;
  const setUp = async (code: string) => {
    await person.fill({
      [t.text('setup.code')]: code,
      [t.text('signIn.email')]: 'ada@example.org',
      [t.text('signIn.password')]: PASSWORD,
    });
    await person.press(t.text('setup.submit'));
  };
  await person.visit('/setup');
  await look('setup');
  await setUp('wrong');
  await page.locator('#code-error').waitFor();
  await look('setup-error');
  await setUp((await running.app.get(SetupCodes).current()) ?? '');
  await person.waitForHeading(t.text('steps.title', { site: 'Sealpush' }));
  await look('first-steps');
  await page.getByRole('button', { name: t.text('steps.backupIsMade') }).click();
  await page.getByText(t.text('steps.backupDone')).waitFor();
  await person.visit('/admin/accounts');
  await look('accounts');

  await person.fill({ [t.text('admin.findEmail')]: 'nobody@example.org' });
  await page.getByLabel(t.text('admin.findEmail')).press('Enter');
  await page.getByText(t.text('admin.findWhere')).waitFor();
  await look('accounts-error');
  const email = `${'long-name-'.repeat(6)}@example.org`;
  await person.visit('/admin/accounts?invite');
  await person.fill({ [t.text('signIn.email')]: email });
  await person.press(t.text('admin.inviteSubmit'));
  await person.waitForHeading(email);
  await look('account-invited');
  const link = await page.locator('#link').inputValue();

  /** The administrator has signed in within ten minutes, so that most forms ask for no password. */
  const act = async (form: string, heading: string) => {
    await page.locator('summary', { hasText: heading }).click();
    await page.locator(`form[action$="/${form}"] button`).click();
  };
  await page.locator('summary', { hasText: t.text('admin.delete') }).click();
  await page.locator('#delete-password').fill('wrong');
  await page
    .locator('form:has(#delete-password)')
    .getByRole('button', { name: t.text('delete.submit') })
    .click();
  await page.locator('#delete-password-error').waitFor();
  await look('account-managed-error');
  await act('disable', t.text('admin.disable'));
  await page.getByText(t.text('admin.doneDisable')).waitFor();
  await look('account-managed-disabled');
  await act('enable', t.text('admin.enable'));
  await page.getByText(t.text('admin.doneEnable')).waitFor();
  await person.visit(link);
  await look('password-link-ended'); // by disabling the account

  await person.visit('/admin/accounts');
  await page.getByRole('link', { name: email }).click();
  await act('password_link', t.text('admin.link'));
  await person.visit(await page.locator('#link').inputValue());
  await look('choose-password');
  await person.fill({ [t.text('account.newPassword')]: 'short' });
  await person.press(t.text('choosePassword.submit'));
  await page.locator('#new_password-error').waitFor();
  await look('choose-password-error');
  await person.fill({ [t.text('account.newPassword')]: PASSWORD });
  await person.press(t.text('choosePassword.submit'));
  await page.waitForURL('**/pushes'); // the administrator is still signed in

  await person.visit('/admin/groups');
  await look('groups-empty');
  await page.locator('summary', { hasText: t.text('groups.create') }).click();
  await person.fill({
    [t.text('groups.name')]: '<b>Contractors\u202e 猫',
    [t.text('groups.maxDays')]: 'many',
  });
  await person.press(t.text('groups.createSubmit'));
  await page.locator('#max_days-error').waitFor();
  await look('groups-error');
  await person.fill({ [t.text('groups.maxDays')]: '3' });
  await person.press(t.text('groups.createSubmit'));
  await page.getByText(t.text('groups.doneCreate')).waitFor();
  await look('group');
  await person.visit('/admin/groups');
  await look('groups');
  await person.visit('/admin/accounts');
  await page.getByRole('link', { name: email }).click();
  await page.locator('summary', { hasText: t.text('admin.changeGroup') }).click();
  await page.locator('#group').selectOption({ index: 1 });
  await page.locator('form:has(#group) button').click();
  await page.getByText(t.text('admin.doneGroup')).waitFor();
  await look('account-managed-group');

  await person.visit('/admin/audit');
  await look('instance-audit');
  await person.visit('/admin/audit?kind=webhook_added');
  await look('instance-audit-empty');

  await person.visit('/admin/webhooks');
  await person.fill({ [t.text('webhooks.url')]: 'https://hooks.example.org/' });
  await person.press(t.text('webhooks.add'));
  await page.locator('#new-secret').waitFor();
  await look('instance-webhooks');
}
