import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { ConfiguredAdministrator } from './configured-administrator.js';
import { User } from '../../auth/entities/user.entity.js';
import { UsersService } from '../../auth/users/users.service.js';
import { FirstStepsService } from './first-steps.service.js';
import { SetupSettings } from './setup.settings.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Log } from '../../platform/logging/log.js';
import { AllSettings } from '../../platform/settings/read-settings.js';
import { Settings } from '../../platform/settings/settings.js';
import { StartError } from '../../platform/settings/start-error.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { newSignedInUser, PASSWORD, PageClient } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

const EMAIL = 'ada@example.org';
const OTHER_PASSWORD = 'nine tall blue mountains';

describe('ADMIN_EMAIL', () => {
  const running = forAllTests(() => startApp({ ADMIN_EMAIL: 'Ada@Example.org', ADMIN_PASSWORD: PASSWORD }));

  /** What another process with these settings does at its start. */
  const startAnother = (ADMIN_EMAIL: string, ADMIN_PASSWORD: string) =>
    new ConfiguredAdministrator(
      new AllSettings({ ADMIN_EMAIL, ADMIN_PASSWORD }).of(SetupSettings),
      running.app.get(Settings),
      running.app.get(UsersService),
      running.app.get(AdministratorsService),
      running.app.get(FirstStepsService),
      running.app.get(Log),
    ).onApplicationBootstrap();
  const accountsOf = (email: string) => running.dataSource.manager.findBy(User, { email });
  const statusOf = async (email: string, password: string) =>
    (await new PageClient(running.url).signIn(email, password)).status;

  it('names an administrator who is created at the start, and not changed by later ones', async () => {
    await startAnother(EMAIL, OTHER_PASSWORD);

    expect(await accountsOf(EMAIL)).toMatchObject([{ administrator: true, emailUnverified: false }]);
    expect([await statusOf(EMAIL, PASSWORD), await statusOf(EMAIL, OTHER_PASSWORD)]).toEqual([303, 422]);
  });

  it('names nobody who is created while there is another administrator, also not after a removal', async () => {
    await startAnother('bob@example.org', PASSWORD);

    expect(await accountsOf('bob@example.org')).toEqual([]);
  });

  it('names one who is created once when two processes start at the same time', async () => {
    const email = 'bob@example.org';
    await running.app
      .get(UnitOfWork)
      .run((manager) => manager.update(User, { administrator: true }, { administrator: false }));
    await Promise.all([1, 2].map(() => startAnother(email, PASSWORD)));

    expect(await accountsOf(email)).toMatchObject([{ administrator: true }]);
  });

  it('does not make an administrator of a stranger who has signed up with it (L12)', async () => {
    const { email } = await newSignedInUser(running);
    await startAnother(email, OTHER_PASSWORD);

    expect(await accountsOf(email)).toMatchObject([{ administrator: false }]);
    expect(await statusOf(email, OTHER_PASSWORD)).toBe(422);
  });

  it.each([
    ['short', 'Wrong settings. ADMIN_PASSWORD: A password has 10 to 128 characters.'],
    ['password123', 'Wrong settings. ADMIN_PASSWORD: This password is too easy to guess.'],
    [EMAIL, 'Wrong settings. ADMIN_PASSWORD: This password is too easy to guess.'],
  ])('with the password %s stops the start', (password, message) => {
    expect(() => startAnother(EMAIL, password)).toThrow(new StartError(message));
  });
});
