import type { GroupRequirements, GroupRules } from '../../src/auth/entities/account-group.entity.js';
import type { RequiredFor } from '../../src/platform/settings/settings.js';
import { REQUIREMENTS } from '../../src/pushes/create/creation-policy.js';

const RULES = Object.values(REQUIREMENTS).map(({ ofGroup }) => ofGroup);

/** The rules of a group that requires everything by the same ways. */
export const requiringAll = (ways: RequiredFor) =>
  Object.fromEntries(RULES.map(({ rule }) => [rule, ways])) as GroupRequirements;

/** The rules of a group for which nothing is stricter. */
export const AS_SETTINGS: GroupRules = {
  name: 'Contractors',
  mayCreate: true,
  maxDays: null,
  maxViews: null,
  ...requiringAll('false'),
};

/** The form with these rules, without a name. */
export const FIELDS_AS_SETTINGS: Record<string, string> = {
  may_create: 'on',
  ...Object.fromEntries(RULES.map(({ field }) => [field, 'false'])),
};
