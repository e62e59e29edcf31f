import { randomUUID } from 'node:crypto';
import { Like } from 'typeorm';
import { ApiToken } from '../../src/auth/entities/api-token.entity.js';
import { DUMMY_HASH, PasswordHashes } from '../../src/auth/passwords/password-hashes.js';
import { Session } from '../../src/auth/entities/session.entity.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { StoredFile } from '../../src/files/file.entity.js';
import { FileStore } from '../../src/files/file-store.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { newSignedInUser, PASSWORD, PageClient } from '../support/page-client.js';

const newEmail = () => `${randomUUID()}@example.org`;

describe('Accounts', () => {
  const running = forAllTests(startApp);
  const pageClient = forEachTest(() => new PageClient(running.url));

  it('are created by signing up, and can then sign in', async () => {
    const email = newEmail();

    const { status, headers } = await pageClient.post('/users/sign_up', { email, password: PASSWORD });

    expect(status).toBe(303);
    expect(headers.get('location')).toBe('/users/sign_in?done=signed_up');
    expect((await pageClient.signIn(email.toUpperCase())).status).toBe(303);
    expect(await pageClient.isSignedIn()).toBe(true);
  });

  it('store their password only as an argon2id hash', async () => {
    const email = newEmail();
    await pageClient.post('/users/sign_up', { email, password: PASSWORD });

    const { passwordHash } = await running.dataSource.manager.findOneByOrFail(User, { email });

    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('respond alike to a sign-up with a free or a taken address, and stay unchanged (D7)', async () => {
    const { email } = await newSignedInUser(running);

    const taken = await pageClient.post('/users/sign_up', { email, password: 'another long password' });
    const free = await pageClient.post('/users/sign_up', {
      email: newEmail(),
      password: 'another long password',
    });

    expect([taken.status, taken.body]).toEqual([free.status, free.body]);
    expect(taken.headers.get('location')).toBe(free.headers.get('location'));
    expect((await pageClient.signIn(email, 'another long password')).status).toBe(422);
  });

  it('respond to a sign-in alike whether the account exists or not (D7)', async () => {
    const { email } = await newSignedInUser(running);
    const { email: forTheApi } = await running.newUser();
    const withoutAddress = async (address: string) => {
      const { status, body } = await pageClient.signIn(address, 'wrong password');
      return [status, body.replace(address, '')];
    };

    const known = await withoutAddress(email);

    expect(known[0]).toBe(422);
    expect(await withoutAddress(newEmail())).toEqual(known);
    expect(await withoutAddress(forTheApi)).toEqual(known);
  });

  it('cannot be signed in to by another address that the database treats as equal', async () => {
    const email = newEmail();
    await pageClient.post('/users/sign_up', { email: `jose-${email}`, password: PASSWORD });

    expect((await pageClient.signIn(`josé-${email}`)).status).toBe(422);
    expect((await pageClient.signIn(`jose-${email}\u0000`)).status).toBe(422);
    expect((await pageClient.signIn(` JOSE-${email} `)).status).toBe(303);
  });

  it('are two if the addresses differ in an accent, on every database engine (L14)', async () => {
    const email = newEmail();
    for (const name of ['jose', 'josé', 'jose\u0301', 'JOSÉ', 'ｊｏｓé']) {
      await pageClient.post('/users/sign_up', {
        email: `${name}-${email}`,
        password: `${PASSWORD} of ${name}`,
      });
    }
    const { manager } = running.dataSource;

    expect(await manager.countBy(User, { email: Like(`%-${email}`) })).toBe(2);
    expect((await pageClient.signIn(`jose-${email}`, `${PASSWORD} of jose`)).status).toBe(303);
    expect((await pageClient.signIn(`JOSE\u0301-${email}`, `${PASSWORD} of josé`)).status).toBe(303);
  });

  it('reject an unknown address in the same time: its hash costs the same (D7)', async () => {
    const costOf = (hash: string) => hash.slice(0, hash.lastIndexOf('p='));
    const real = await running.app.get(PasswordHashes).hash(PASSWORD, { ip: '' });

    expect(costOf(DUMMY_HASH)).toBe(costOf(real));
    expect(await running.app.get(PasswordHashes).verify(DUMMY_HASH, PASSWORD, { ip: '' })).toBe(false);
  });

  it.each([
    ['nine char', 'Use 10 to 128 characters.'],
    ['é'.repeat(129), 'Use 10 to 128 characters.'],
    ['Password123', 'This password is too easy to guess.'],
    ['aaaaaaaaaaaa', 'This password is too easy to guess.'],
  ])('reject the password %j', async (password, message) => {
    const { status, body } = await pageClient.post('/users/sign_up', { email: newEmail(), password });

    expect(status).toBe(422);
    expect(body).toContain(message);
    expect(body).not.toContain(password);
  });

  it.each(['', 'nobody', 'a@b', '<script>@example.org', 'two@example.org,three@example.org'])(
    'reject the address %j',
    async (email) => {
      const { status, body } = await pageClient.post('/users/sign_up', { email, password: PASSWORD });

      expect(status).toBe(422);
      expect(body).toContain('Enter a valid email address.');
      expect(body).not.toContain('<script>@');
    },
  );

  it('say that an address has characters which cannot be seen (N12)', async () => {
    const email = 'ad\u200bmin@example.org';
    const { status, body } = await pageClient.post('/users/sign_up', { email, password: PASSWORD });

    expect(status).toBe(422);
    expect(body).toContain('An address has invisible characters, or letters that look like others.');
  });

  it('ignore unknown fields (C11)', async () => {
    const email = newEmail();
    const id = randomUUID();
    await pageClient.post('/users/sign_up', { email, password: PASSWORD, id, passwordHash: 'x' });

    expect((await running.dataSource.manager.findOneByOrFail(User, { email })).id).not.toBe(id);
  });

  it('change their address to a free one if the password is given', async () => {
    const { email, pageClient: member } = await newSignedInUser(running);
    const other = await newSignedInUser(running);
    const fresh = newEmail();

    const wrong = await member.post('/users/edit/email', { email: fresh, password: 'wrong' });
    const taken = await member.post('/users/edit/email', { email: other.email, password: PASSWORD });
    const right = await member.post('/users/edit/email', { email: fresh, password: PASSWORD });

    expect([wrong.status, taken.status, right.status]).toEqual([422, 422, 303]);
    expect((await pageClient.signIn(fresh)).status).toBe(303);
    expect((await pageClient.signIn(email)).status).toBe(422);
  });

  it('are deleted with all their data, including files and tokens, if the password is given', async () => {
    const { id, email, pageClient: member } = await newSignedInUser(running);
    const form = new FormData();
    form.set('push[kind]', 'file');
    form.append('push[files][]', new Blob(['minutes']), 'minutes.txt');
    expect((await member.post('/', form)).status).toBe(201);
    await member.post('/users/token', { name: 'script' });
    const { manager } = running.dataSource;
    const push = await manager.findOneByOrFail(Push, { userId: id });
    const file = await manager.findOneByOrFail(StoredFile, { pushId: push.id });

    expect((await member.post('/users/edit/delete', { password: 'wrong' })).status).toBe(422);
    expect((await member.post('/users/edit/delete', { password: PASSWORD })).status).toBe(303);

    expect(await manager.countBy(User, { id })).toBe(0);
    expect(await manager.countBy(Push, { userId: id })).toBe(0);
    expect(await manager.countBy(ApiToken, { userId: id })).toBe(0);
    expect(await manager.countBy(Session, { userId: id })).toBe(0);
    expect(await manager.countBy(StoredFile, { pushId: push.id })).toBe(0);
    expect(await keysIn(running.app.get(FileStore))).not.toContain(file.storageKey);
    expect(await member.isSignedIn()).toBe(false);
    expect((await member.signIn(email)).status).toBe(422);
  });

  it('leave nothing behind if pushes are created while they are deleted', async () => {
    const { id, email, pageClient: member } = await newSignedInUser(running);
    const elsewhere = new PageClient(running.url);
    await elsewhere.signIn(email);
    const push = () => {
      const form = new FormData();
      form.set('push[kind]', 'file');
      form.append('push[files][]', new Blob(['minutes']), 'minutes.txt');
      return elsewhere.post('/', form);
    };

    const pushing = Array.from({ length: 20 }, push);
    const { status } = await member.post('/users/edit/delete', { password: PASSWORD });
    const answers = await Promise.all(pushing);

    expect(status).toBe(303);
    for (const answer of answers) expect(answer.status).toBeLessThan(500);
    const { manager } = running.dataSource;
    expect(await manager.countBy(Push, { userId: id })).toBe(0);
    expect(await manager.find(StoredFile)).toEqual([]);
    expect(await keysIn(running.app.get(FileStore))).toEqual([]);
  });

  it('do not affect other accounts when they are deleted', async () => {
    const { pageClient: leaver } = await newSignedInUser(running);
    const { id, pageClient: stayer } = await newSignedInUser(running);
    await stayer.post('/', { 'push[payload]': 'stays' });

    await leaver.post('/users/edit/delete', { password: PASSWORD });

    expect(await stayer.isSignedIn()).toBe(true);
    expect(await running.dataSource.manager.countBy(Push, { userId: id })).toBe(1);
  });
});

async function keysIn(store: FileStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys;
}
