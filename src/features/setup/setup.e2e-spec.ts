import { randomBytes } from 'node:crypto';
import { AdministratorsState } from '../../auth/entities/administrators-state.entity.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { SetupCodes } from './setup-codes.js';
import { SignInAttempt } from '../../auth/entities/sign-in-attempt.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Keyring } from '../../platform/sealing/keyring.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { newSignedInUser, PASSWORD, PageClient } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

const EMAIL = 'ada@example.org';

describe('The first administrator', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));
  let codes: SetupCodes;

  beforeAll(() => (codes = running.app.get(SetupCodes)));
  beforeEach(() =>
    running.app.get(UnitOfWork).run(async (manager) => {
      await manager.deleteAll(User);
      await manager.deleteAll(SignInAttempt);
    }),
  );

  const from = (address = '192.0.2.1') => new PageClient(running.url, { 'X-Forwarded-For': address });
  const setUp = (client: PageClient, fields: Record<string, string>) =>
    client.post('/setup', { email: EMAIL, password: PASSWORD, password_repeat: PASSWORD, ...fields });
  const code = async () => (await codes.current()) ?? '';
  const accounts = async () =>
    (await running.dataSource.manager.find(User)).map(({ email, administrator, emailUnverified }) => ({
      email,
      administrator,
      emailUnverified,
    }));

  it('is created and signed in with the code, which then ends, as the page does', async () => {
    const right = await code();
    const client = from();
    expect((await client.get('/setup')).status).toBe(200);

    const { status, headers } = await setUp(client, { code: ` ${right.toUpperCase()} ` });
    expect([status, headers.get('location')]).toEqual([303, '/admin/first_steps']);
    expect(await client.isSignedIn()).toBe(true);
    expect((await from().signIn(EMAIL)).status).toBe(303);
    expect(await accounts()).toEqual([{ email: EMAIL, administrator: true, emailUnverified: false }]);

    const again = await setUp(from(), { code: right, email: 'eve@example.org' });
    expect([again.status, again.headers.get('location')]).toEqual([303, '/users/sign_in']);
    expect((await from().get('/setup')).headers.get('location')).toMatch(/^\/users\/sign_in/);
    expect(await codes.current()).toBeUndefined();
    expect(await accounts()).toHaveLength(1);
  });

  it('is only one when twenty requests use the code at the same time', async () => {
    const right = await code();
    const addresses = Array.from({ length: 20 }, (_, index) => `192.0.2.${index}`);
    const answers = await allAtOnce(20, (index) =>
      setUp(from(addresses[index]), { code: right, email: `ada${index}@example.org` }),
    );

    const locations = answers.map(({ headers }) => headers.get('location')).sort();
    expect(locations).toEqual(['/admin/first_steps', ...Array<string>(19).fill('/users/sign_in')]);
    expect(await accounts()).toHaveLength(1);
  });

  it('is not created with a wrong code, and five wrong ones make their address wait (B1)', async () => {
    const right = await code();
    for (const wrong of ['', right.slice(1), right.replaceAll(/./g, '0'), 'x'.repeat(5000), `${right}\0`]) {
      const { status, body } = await setUp(from(), { code: wrong });
      expect([status, body]).toEqual([422, expect.stringContaining('This is not the setup code')]);
      if (wrong !== '') expect(body).not.toContain(wrong);
    }
    expect((await setUp(from(), { code: right })).status).toBe(429);
    expect(await accounts()).toEqual([]);
    expect((await setUp(from('192.0.2.2'), { code: right })).status).toBe(303);
  });

  it('is not created by a weak password, a taken address, another site or signing up; the code stays (L12)', async () => {
    const right = await code();
    const { email } = await newSignedInUser(running);
    const weak = { password: 'password123', password_repeat: 'password123' };

    expect((await setUp(from(), { code: right, ...weak })).status).toBe(422);
    expect((await setUp(from(), { code: right, email })).body).toContain('already exists');
    const elsewhere = new PageClient(running.url, { 'Sec-Fetch-Site': 'cross-site' });
    expect((await setUp(elsewhere, { code: right })).status).toBe(403);
    expect(await accounts()).toEqual([{ email, administrator: false, emailUnverified: true }]);
    expect(await code()).toBe(right);
  });

  it('has a code of 128 bits that is not in the database, and that ends with its master key (H1)', async () => {
    const right = await code();
    const [row] = await running.dataSource.manager.find(AdministratorsState);
    expect(right).toMatch(/^[0-9a-f]{32}$/);
    expect(row?.setupCode?.includes(right)).toBe(false);

    const { app } = running;
    const withOtherKey = new SetupCodes(
      app.get(AdministratorsService),
      app.get(UnitOfWork),
      new Keyring([randomBytes(32)]),
    );
    const other = await withOtherKey.current();
    expect(other).not.toBe(right);
    expect((await setUp(from(), { code: right })).status).toBe(422);
    expect(await code()).not.toBe(other);
  });
});
