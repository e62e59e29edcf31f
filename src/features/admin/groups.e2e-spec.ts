import { AccountGroup } from '../../auth/entities/account-group.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { InstanceAuditEntry } from '../../platform/instance-audit/instance-audit-entry.entity.js';
import { FIELDS_AS_SETTINGS } from '../../../test/support/account-groups.js';
import { newAdministrator } from '../../../test/support/administrator.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import type { PageClient } from '../../../test/support/page-client.js';
import { newSignedInUser, PASSWORD } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

const RULES = {
  ...FIELDS_AS_SETTINGS,
  password: PASSWORD,
};

describe('Groups of accounts', () => {
  const running = forAllTests(() => startApp({ REQUIRE_PASSPHRASE: 'pages', EXPIRE_AFTER_DAYS_MAX: '30' }));
  let admin: PageClient;
  let number = 0;

  beforeAll(async () => (admin = (await newAdministrator(running)).pageClient));

  const newName = () => `Group ${(number += 1)}`;
  const groupOf = async ({ id }: { id: string }) =>
    (await running.dataSource.manager.findOneByOrFail(User, { id })).groupId;
  const post = (path: string, fields: Record<string, string> = {}) =>
    admin.post(path, { ...RULES, ...fields });

  /** Returns its id. */
  async function create(fields: Record<string, string> = {}): Promise<string> {
    const { headers } = await post('/admin/groups', { name: newName(), ...fields });
    const [, id = ''] =
      /^\/admin\/groups\/([0-9a-f-]{36})\?done=create$/.exec(headers.get('location') ?? '') ?? [];
    expect(id).not.toBe('');
    return id;
  }

  it('are created, shown, changed and deleted, and all of it is in the audit log', async () => {
    const name = newName();
    const id = await create({ name, max_days: '3', require_click: 'api' });
    const shown = await admin.get(`/admin/groups/${id}`);
    expect(shown.body).toMatch(/id="max_days"[^>]* value="3"/);
    expect(shown.body).toMatch(/<option value="api" selected/);
    expect((await admin.get('/admin/groups')).body).toContain(name);

    expect((await post(`/admin/groups/${id}`, { name, max_views: '2' })).status).toBe(303);
    const { manager } = running.dataSource;
    expect(await manager.findOneBy(AccountGroup, { id })).toMatchObject({
      maxDays: null,
      maxViews: 2,
      requireClick: 'false',
    });
    const member = await newSignedInUser(running);
    await post(`/admin/accounts/${member.id}/group`, { group: id });
    await post(`/admin/groups/${id}/delete`);
    expect(await manager.existsBy(AccountGroup, { id })).toBe(false);
    const entries = await manager.find(InstanceAuditEntry, { order: { id: 'ASC' } });
    const ofGroup = entries.filter(({ details }) => details.group === name);
    expect(ofGroup.map(({ kind, subjectId }) => [kind, subjectId])).toEqual([
      ['group_created', null],
      ['group_changed', null],
      ['account_group_changed', member.id],
      ['group_deleted', null],
    ]);
    expect((await admin.get('/admin/audit')).body).toContain(name);
  });

  it('say where the settings hold in any case', async () => {
    const { body } = await admin.get('/admin/groups');
    for (const part of [
      'For all accounts: Required on the pages.',
      'For all accounts: not required.',
      '30 as in the settings',
    ])
      expect(body).toContain(part);
  });

  it('are joined and left on the page of an account', async () => {
    const [id, member] = [await create(), await newSignedInUser(running)];
    await post(`/admin/accounts/${member.id}/group`, { group: id });
    expect(await groupOf(member)).toBe(id);
    const { body } = await admin.get(`/admin/accounts/${member.id}`);
    expect(body).toMatch(new RegExp(`<option value="${id}" selected`));

    await post(`/admin/accounts/${member.id}/group`, { group: '' });
    expect(await groupOf(member)).toBeNull();
  });

  it('leave their accounts to another group, or to none, when they are deleted', async () => {
    const [id, successor] = [await create(), await create()];
    const members = [await newSignedInUser(running), await newSignedInUser(running)];
    for (const member of members) await post(`/admin/accounts/${member.id}/group`, { group: id });
    await post(`/admin/groups/${id}/delete`, { move_to: successor });
    expect(await Promise.all(members.map(groupOf))).toEqual([successor, successor]);
    const entries = await running.dataSource.manager.findBy(InstanceAuditEntry, { kind: 'group_deleted' });
    const { name } = await running.dataSource.manager.findOneByOrFail(AccountGroup, { id: successor });
    expect(entries.filter(({ details }) => details.successor === name)).toHaveLength(1);
    await post(`/admin/groups/${successor}/delete`);
    expect(await Promise.all(members.map(groupOf))).toEqual([null, null]);
  });

  it('that are being deleted take no account', async () => {
    const [id, member] = [await create(), await newSignedInUser(running)];
    await allAtOnce(6, (i) =>
      i % 2 === 0
        ? post(`/admin/groups/${id}/delete`)
        : post(`/admin/accounts/${member.id}/group`, { group: id }),
    );
    expect(await running.dataSource.manager.existsBy(AccountGroup, { id })).toBe(false);
    expect(await groupOf(member)).toBeNull();
  });

  it('cannot have what is no rule, and the form keeps what was typed', async () => {
    const { status, body } = await post('/admin/groups', {
      name: ' ',
      max_days: '0',
      max_views: '1e9',
      require_click: '__proto__',
      require_recipients: 'true', // no mail is sent here
    });
    expect(status).toBe(422);
    for (const name of ['name', 'max_days', 'max_views', 'require_click', 'require_recipients'])
      expect(body).toContain(`id="${name}-error"`);
    expect(body).toMatch(/id="max_views"[^>]* value="1e9"/);
  });

  it.each(['NaN', '-1', '1.5', '36501', '9'.repeat(100), 'constructor'])(
    'take no limit of %s (A3)',
    async (max_days) => {
      expect((await post('/admin/groups', { name: newName(), max_days })).status).toBe(422);
    },
  );

  it.each(['a\u0000b', 'a\nb', 'x'.repeat(61)])('take no name such as %j', async (name) => {
    expect((await post('/admin/groups', { name })).status).toBe(422);
  });

  it('have names that are text on every page (E5)', async () => {
    const name = `<script>${newName()}</script>{x}'"\u202e`;
    const [id, member] = [await create({ name }), await newSignedInUser(running)];
    await post(`/admin/accounts/${member.id}/group`, { group: id });
    await post(`/admin/groups/${id}`, { name, may_create: 'on' });
    for (const path of [
      '/admin/groups',
      `/admin/groups/${id}`,
      `/admin/accounts/${member.id}`,
      '/admin/audit',
    ]) {
      const { status, body } = await admin.get(path);
      expect([path, status, body.includes('<script>Group'), body.includes('&lt;script>')]).toEqual([
        path,
        200,
        false,
        true,
      ]);
    }
    const { body } = await member.pageClient.post('/', {
      'push[payload]': 'x',
      'push[expire_after_days]': '99',
    });
    expect(body).not.toContain('<script>Group');
    await post(`/admin/groups/${id}/delete`);
  });

  it('have different names, of which an accent makes another (L14)', async () => {
    const name = newName();
    const ids = [await create({ name: `${name} jose` }), await create({ name: `${name} josé` })];
    expect(new Set(ids).size).toBe(2);
    const again = await post('/admin/groups', { name: `${name} jose` });
    expect([again.status, again.body.includes('Another group has this name.')]).toEqual([422, true]);
    const renamed = await post(`/admin/groups/${ids[1] ?? ''}`, { name: `${name} jose` });
    expect(renamed.status).toBe(422);
  });

  it('that do not exist are a 404', async () => {
    const [member, id] = [await newSignedInUser(running), '00000000-0000-7000-8000-000000000000'];
    expect((await admin.get(`/admin/groups/${id}`)).status).toBe(404);
    expect((await post(`/admin/accounts/${member.id}/group`, { group: id })).status).toBe(404);
    expect((await post(`/admin/groups/${await create()}/delete`, { move_to: id })).status).toBe(404);
  });

  it('are at most a hundred', async () => {
    const { manager } = running.dataSource;
    const rules = await manager.findOneByOrFail(AccountGroup, { id: await create() });
    const missing = 100 - (await manager.count(AccountGroup));
    await manager.insert(
      AccountGroup,
      Array.from({ length: missing }, (_, i) => ({ ...rules, id: `more-${i}`, name: `more ${i}` })),
    );
    expect((await post('/admin/groups', { name: newName() })).status).toBe(422);
  });
});
