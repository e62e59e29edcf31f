import { randomBytes } from 'node:crypto';
import { User } from '../../src/auth/entities/user.entity.js';
import { AccountGroupsService } from '../../src/auth/groups/account-groups.service.js';
import { AS_SETTINGS } from '../support/account-groups.js';
import { clientEncryptedPush } from '../support/age-files.js';
import { auditKinds, tally } from '../support/audit-kinds.js';
import { newApiClient } from '../support/command.js';
import { allAtOnce, outcomes } from '../support/concurrent-calls.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { spawnTwo } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';

describe('Two server processes on one database', () => {
  const instance = forAllTests(makeInstance);
  const servers = forAllTests(() => spawnTwo(instance, { TRUSTED_PROXIES: '127.0.0.1' }));
  const owner = forAllTests(() => newApiClient(servers.of(0), instance));

  const serverOf = (caller: number) => servers.of(caller).anonymous;

  it('show a push of 7 views exactly 7 times, and no request fails (A1, I8)', async () => {
    const { url_token } = await owner.push({ payload: 'tulip', expire_after_views: 7 });
    const answers = await allAtOnce(200, (caller) => serverOf(caller).retrieve(url_token));

    expect(outcomes(answers, 'tulip')).toEqual({ shown: 7, expired: 193 });
    expect(tally(await auditKinds(owner, url_token))).toEqual({ creation: 1, view: 7, failed_view: 193 });
  });

  it('show a push with a passphrase exactly as often as its limit allows (A1, I8)', async () => {
    const { url_token } = await owner.push({ payload: 'tulip', passphrase: 'horse', expire_after_views: 7 });
    const answers = await allAtOnce(40, (caller) =>
      serverOf(caller)
        .with({ 'X-Forwarded-For': `198.51.100.${caller}` })
        .retrieve(url_token, 'horse'),
    );

    expect(outcomes(answers, 'tulip')).toEqual({ shown: 7, expired: 33 });
    expect(tally(await auditKinds(owner, url_token))).toEqual({ creation: 1, view: 7, failed_view: 33 });
  });

  it('delete a push only once', async () => {
    const { url_token } = await owner.push({ payload: 'tulip', deletable_by_viewer: true });
    const answers = await allAtOnce(20, (caller) => serverOf(caller).delete(`/api/v2/pushes/${url_token}`));

    expect(answers.map(({ status, body }) => [status, body.expired, body.deleted])).toEqual(
      Array(20).fill([200, true, true]),
    );
    expect(await auditKinds(owner, url_token)).toEqual(['creation', 'expire']);
  });

  it('count wrong passphrases together, even if they are sent at the same time (B5)', async () => {
    const { url_token } = await owner.push({ payload: 'tulip', passphrase: 'horse' });
    const guess = (caller: number) =>
      serverOf(caller).with({ 'X-Forwarded-For': '198.51.100.1' }).retrieve(url_token, `wrong ${caller}`);

    expect(outcomes(await allAtOnce(60, guess), 'tulip')).toEqual({ 401: 5, 429: 55 });
    expect(tally(await auditKinds(owner, url_token))).toEqual({ creation: 1, failed_passphrase: 5 });
    for (const server of servers.all) {
      const answer = await server.anonymous
        .with({ 'X-Forwarded-For': '198.51.100.2' })
        .retrieve(url_token, 'horse');
      expect(answer.body.payload).toBe('tulip');
    }
  });

  it('show a push of 17 views to ninety right passphrases from one address exactly 17 times (A1, B4)', async () => {
    const terms = { payload: 'tulip', passphrase: 'horse', expire_after_views: 17 };
    const { url_token } = await owner.push(terms);
    const answers = await allAtOnce(90, (caller) => serverOf(caller).retrieve(url_token, 'horse'));

    expect(outcomes(answers, 'tulip')).toEqual({ shown: 17, expired: 73 });
  });

  it('check five of 320 wrong passphrases sent concurrently, besides right ones from other addresses (B5)', async () => {
    const { url_token } = await owner.push({ payload: 'tulip', passphrase: 'horse', expire_after_views: 50 });
    const from = (caller: number, ip: string) => serverOf(caller).with({ 'X-Forwarded-For': ip });
    const [wrong, right] = await Promise.all([
      allAtOnce(320, (caller) => from(caller, '198.51.100.1').retrieve(url_token, `wrong ${caller}`)),
      allAtOnce(10, (caller) => from(caller, '198.51.100.2').retrieve(url_token, 'horse')),
    ]);

    expect(outcomes(wrong, 'tulip')).toEqual({ 401: 5, 429: 315 });
    expect(outcomes(right, 'tulip')).toEqual({ shown: 10 });
  });

  describe('of a push that its client has encrypted', () => {
    const newProof = () => randomBytes(32).toString('base64url');
    const from = (caller: number, ip: string) => serverOf(caller).with({ 'X-Forwarded-For': ip });

    it.each([
      [1, 60],
      [7, 120],
      [30, 90],
    ])(
      'show %d views exactly to %d readers, every third of whom has a wrong proof (A1, I8)',
      async (views, readers) => {
        const { passphrase: proof, ...fields } = clientEncryptedPush();
        const { url_token } = await owner.push({ ...fields, passphrase: proof, expire_after_views: views });
        const isWrong = (reader: number) => reader % 3 === 0;
        const answers = await allAtOnce(readers, (reader) =>
          isWrong(reader)
            ? from(reader, `198.51.100.${reader % 10}`).retrieve(url_token, newProof())
            : from(reader, `203.0.113.${reader % 10}`).retrieve(url_token, proof),
        );
        const right = answers.filter((_, reader) => !isWrong(reader));
        const {
          expired: afterTheEnd = 0,
          401: wrong = 0,
          429: refused = 0,
          ...others
        } = outcomes(
          answers.filter((_, reader) => isWrong(reader)),
          fields.payload,
        );
        const kinds = tally(await auditKinds(owner, url_token));

        expect(outcomes(right, fields.payload)).toEqual({ shown: views, expired: right.length - views });
        expect([afterTheEnd + wrong + refused, others]).toEqual([readers / 3, {}]);
        expect([kinds.view, kinds.failed_passphrase ?? 0]).toEqual([views, wrong]);
      },
    );

    it('check five of sixty wrong proofs from an address, and right ones from others (B5)', async () => {
      const { passphrase: proof, ...fields } = clientEncryptedPush();
      const { url_token } = await owner.push({ ...fields, passphrase: proof, expire_after_views: 50 });
      const ip = '198.51.100.1';
      const [wrong, right] = await Promise.all([
        allAtOnce(60, (caller) => from(caller, ip).retrieve(url_token, newProof())),
        allAtOnce(20, (caller) => from(caller, '198.51.100.2').retrieve(url_token, proof)),
      ]);
      const later = await allAtOnce(4, (caller) => from(caller, ip).retrieve(url_token, proof));

      expect(outcomes(wrong, fields.payload)).toEqual({ 401: 5, 429: 55 });
      expect(outcomes(right, fields.payload)).toEqual({ shown: 20 });
      expect(outcomes(later, fields.payload)).toEqual({ 429: 4 });
      expect(tally(await auditKinds(owner, url_token))).toEqual({
        creation: 1,
        view: 20,
        failed_passphrase: 5,
      });
    });

    it('block who has sent a wrong proof after a hundred from all, and nobody else (B4, B5)', async () => {
      const { passphrase: proof, ...fields } = clientEncryptedPush();
      const { url_token } = await owner.push({ ...fields, passphrase: proof, expire_after_views: 50 });
      const ofAll = (prove: () => string) =>
        allAtOnce(110, (caller) => from(caller, `203.0.113.${caller}`).retrieve(url_token, prove()));
      const first = outcomes(await ofAll(newProof), fields.payload);
      const again = outcomes(await ofAll(newProof), fields.payload);
      const rightFrom = (network: string) =>
        allAtOnce(10, (caller) => from(caller, `${network}.${caller}`).retrieve(url_token, proof));
      const blocked = await rightFrom('203.0.113');
      const right = await rightFrom('198.51.100');

      expect(first).toEqual({ 401: 110 });
      expect(again).toEqual({ 429: 110 });
      expect(outcomes(blocked, fields.payload)).toEqual({ 429: 10 });
      expect(outcomes(right, fields.payload)).toEqual({ shown: 10 });
    });
  });

  it('end a push at one time after its first view, however many are first (A1)', async () => {
    const terms = { payload: 'tulip', expire_after_views: 40, expire_after_first_view: 2 };
    const { url_token, expires_at } = await owner.push(terms);
    const answers = await allAtOnce(40, (caller) => serverOf(caller).retrieve(url_token));
    const [end, ...others] = new Set(answers.map(({ body }) => body.expires_at));

    expect(outcomes(answers, 'tulip')).toEqual({ shown: 40 });
    expect(others).toEqual([]);
    expect(end < expires_at).toBe(true);
  });

  it('show a push as often as it was promised or its owner has allowed since, and change it once (A1, A4)', async () => {
    const { url_token } = await owner.push({ payload: 'tulip', expire_after_views: 30 });
    const [answers, changes] = await Promise.all([
      allAtOnce(60, (caller) => serverOf(caller).retrieve(url_token)),
      allAtOnce(20, (caller) =>
        owner.at(servers.of(caller).url).change(url_token, { expire_after_views: 20 }),
      ),
    ]);
    const kinds = tally(await auditKinds(owner, url_token));
    const { shown = 0, ...others } = outcomes(answers, 'tulip');

    expect(shown).toBe(kinds.edit ? 20 : 30);
    expect(others).toEqual({ expired: 60 - shown });
    expect(kinds).toEqual({
      creation: 1,
      view: shown,
      failed_view: 60 - shown,
      ...(kinds.edit && { edit: 1 }),
    });
    expect(changes.map(({ status }) => status).filter((status) => ![200, 404, 422].includes(status))).toEqual(
      [],
    );
  });

  it('end a push at the earliest of the times that its owner gives at once (A4)', async () => {
    const { url_token, created_at } = await owner.push({ payload: 'tulip', expire_after_days: 90 });
    const days = Array.from({ length: 30 }, (_, caller) => 60 - ((caller * 7) % 30));
    await allAtOnce(30, (caller) =>
      owner.at(servers.of(caller).url).change(url_token, { expire_after_days: days[caller] }),
    );
    const { body } = await owner.retrieve(url_token);

    expect(Date.parse(body.expires_at) - Date.parse(created_at)).toBe(Math.min(...days) * 24 * 3600 * 1000);
  });

  it('create and read at the same time without errors (I8)', async () => {
    const pushes = await allAtOnce(60, (caller) => serverOf(caller).push({ payload: `tulip ${caller}` }));
    const answers = await allAtOnce(60, (caller) => serverOf(caller + 1).retrieve(pushes[caller].url_token));

    expect(answers.map(({ body }) => body.payload)).toEqual(pushes.map((_, caller) => `tulip ${caller}`));
  });

  it('follow the rules of a group as soon as one of them has changed it', async () => {
    const { app, dataSource } = await forThisTest(startApp({}, { instance }));
    const groups = app.get(AccountGroupsService);
    const user = await dataSource.manager.findOneByOrFail(User, { email: 'owner@example.org' });
    const create = (url: string) => owner.at(url).post('/api/v2/pushes', { push: { payload: 'tulip' } });
    const statuses = async () =>
      (await Promise.all(servers.all.map(({ url }) => create(url)))).map(({ status }) => status);

    const group = await groups.create(AS_SETTINGS);
    await groups.assign(user, group);
    expect(await statuses()).toEqual([201, 201]);
    await groups.change(group, { ...AS_SETTINGS, mayCreate: false });
    expect(await statuses()).toEqual([403, 403]);
    await groups.delete(group, null);
    expect(await statuses()).toEqual([201, 201]);
  });
});
