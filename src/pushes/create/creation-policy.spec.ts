import type { AccountGroup } from '../../auth/entities/account-group.entity.js';
import { AS_SETTINGS } from '../../../test/support/account-groups.js';
import { apiText } from '../../platform/errors/problem.js';
import { Settings } from '../../platform/settings/settings.js';
import type { CreatePushDto } from './create-push.dto.js';
import { CreationPolicy } from './creation-policy.js';
import type { CreationWay, PolicySettings } from './creation-policy.js';

const OPEN: PolicySettings = new Settings();

const RULES = {
  days: { min: 2, max: 90 },
  views: { min: 1, max: 100 },
  defaults: { days: 7, views: 5, deletableByViewer: false, retrievalStep: false },
};

const aGroup = (rules: Partial<AccountGroup> = {}): AccountGroup => ({
  ...AS_SETTINGS,
  id: '1',
  name: 'Guests',
  createdAt: new Date(),
  ...rules,
});

const messages = (policy: CreationPolicy, push: CreatePushDto, way: CreationWay = 'api') =>
  Object.fromEntries(
    Object.entries(policy.problemsOf(push, RULES, way)).map(([name, problems]) => [
      name,
      problems.map(apiText),
    ]),
  );

describe('A creation policy', () => {
  it('requires nothing by default', () => {
    const policy = new CreationPolicy(OPEN);
    expect(messages(policy, { payload: 'tulip', retrieval_step: false })).toEqual({});
    expect(policy.within(RULES)).toEqual(RULES);
  });

  it('names the setting rather than the group where both require something', () => {
    const group = aGroup({ requirePassphrase: 'true', requireClick: 'api' });
    const policy = new CreationPolicy({ ...OPEN, REQUIRE_PASSPHRASE: 'api' }, undefined, group);

    expect(messages(policy, { retrieval_step: false })).toEqual({
      passphrase: ['is required here (REQUIRE_PASSPHRASE)'],
      retrieval_step: ['must be true in the group Guests'],
    });
    expect(messages(policy, { retrieval_step: false }, 'pages')).toEqual({
      passphrase: ['is required in the group Guests'],
    });
  });

  it('asks for encryption on the way for which it is required', () => {
    const policy = new CreationPolicy({ ...OPEN, END_TO_END_API: 'required' }, undefined, aGroup());

    expect(messages(policy, {})).toEqual({ client_encrypted: ['must be true here (END_TO_END_API)'] });
    expect(messages(policy, { client_encrypted: true })).toEqual({});
    expect(messages(policy, {}, 'pages')).toEqual({});
  });

  it.each([true, false])('asks for recipients, also of what is encrypted: %s', (client_encrypted) => {
    const policy = new CreationPolicy(OPEN, undefined, aGroup({ requireRecipients: 'true' }));

    expect(messages(policy, { client_encrypted, recipients: [] })).toEqual({
      recipients: ['is required in the group Guests'],
    });
    expect(messages(policy, { client_encrypted, recipients: ['@example.org'] })).toEqual({});
  });

  it('cannot ask for a passphrase that only the client could see', () => {
    const policy = new CreationPolicy({ ...OPEN, REQUIRE_PASSPHRASE: 'true', REQUIRE_CLICK: 'true' });
    expect(messages(policy, { client_encrypted: true, retrieval_step: false })).toEqual({});
  });

  it.each([
    [{ maxDays: 3 }, { min: 2, max: 3 }, 3],
    [{ maxDays: 1 }, { min: 2, max: 2 }, 2],
    [{ maxDays: 1000 }, { min: 2, max: 90 }, 7],
  ])('lowers the days by a group with %j, within the settings', (rules, days, standard) => {
    const within = new CreationPolicy(OPEN, undefined, aGroup(rules)).within(RULES);
    expect([within.days, within.defaults.days]).toEqual([days, standard]);
  });

  it('leaves to the rules of every push what those refuse anyway', () => {
    const policy = new CreationPolicy(OPEN, undefined, aGroup({ maxDays: 3, maxViews: 2 }));

    expect(messages(policy, { expire_after_days: 91, expire_after_views: NaN })).toEqual({});
    expect(messages(policy, { expire_after_days: 4, expire_after_views: 3 })).toEqual({
      expire_after_days: ['must be a whole number from 2 to 3 in the group Guests'],
      expire_after_views: ['must be a whole number from 1 to 2 in the group Guests'],
    });
    expect(messages(policy, { expire_after_duration: 12 })).toEqual({
      expire_after_duration: ['must stand for 2 to 3 days in the group Guests'],
    });
  });

  it('fills in only what a push does not say', () => {
    const group = aGroup({ maxDays: 3, maxViews: 2, requireClick: 'true' });
    const policy = new CreationPolicy(OPEN, undefined, group);
    const filled = (push: CreatePushDto) => {
      policy.fillIn(push, RULES, 'api');
      return push;
    };

    expect(filled({})).toEqual({ expire_after_days: 3, expire_after_views: 2, retrieval_step: true });
    expect(filled({ expire_after_duration: 0, expire_after_views: 1, retrieval_step: false })).toEqual({
      expire_after_duration: 0,
      expire_after_views: 1,
      retrieval_step: false,
    });
  });
});
