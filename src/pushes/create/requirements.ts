import type { GroupRequirements } from '../../auth/entities/account-group.entity.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Settings } from '../../platform/settings/settings.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { isBlankList } from '../fields/list-fields.js';
import type { CreatePushDto } from './create-push.dto.js';

/** By which way something is created. */
export type CreationWay = 'pages' | 'api';

/** What requires something: the setting or the group of the account, by its name. */
export type Origin = { setting: string } | { group: string };

/** Something that can be required of a push. */
export interface RequirementOfPush {
  /** The settings that require it of every push. */
  settings: Record<CreationWay, keyof Settings>;
  /** The rule of a group that requires it, and its field in the form of a group. */
  ofGroup: { rule: keyof GroupRequirements; field: string; label: TextKey; needsMail?: boolean };
  /** The fields of a push that show what is missing. */
  fields: Record<CreationWay, keyof CreatePushDto | 'form'>;
  isMissing: (push: CreatePushDto) => boolean;
  problem: (origin: Origin, way: CreationWay) => Problem;
}

export const REQUIREMENTS = {
  passphrase: {
    settings: both('REQUIRE_PASSPHRASE'),
    ofGroup: { rule: 'requirePassphrase', field: 'require_passphrase', label: 'groups.passphrase' },
    fields: both('passphrase'),
    // only its client knows whether what it encrypts has a passphrase
    isMissing: (push) => push.client_encrypted !== true && !push.passphrase,
    problem: requiredProblem,
  },
  click: {
    settings: both('REQUIRE_CLICK'),
    ofGroup: { rule: 'requireClick', field: 'require_click', label: 'groups.click' },
    fields: both('retrieval_step'),
    // the page of what a client encrypts always waits for a click
    isMissing: (push) => push.client_encrypted !== true && push.retrieval_step === false,
    problem: mustBeTrueProblem,
  },
  recipients: {
    settings: both('REQUIRE_RECIPIENTS'),
    ofGroup: {
      rule: 'requireRecipients',
      field: 'require_recipients',
      label: 'groups.recipients',
      needsMail: true,
    },
    fields: both('recipients'),
    isMissing: (push) => isBlankList(push.recipients),
    problem: requiredProblem,
  },
  encryption: {
    settings: { pages: 'END_TO_END', api: 'END_TO_END_API' },
    ofGroup: { rule: 'requireEndToEnd', field: 'require_end_to_end', label: 'groups.encryption' },
    fields: { pages: 'form', api: 'client_encrypted' },
    isMissing: (push) => push.client_encrypted !== true,
    problem: (origin, way) =>
      way === 'pages' ? new Problem('not_encrypted_in_browser') : mustBeTrueProblem(origin),
  },
} as const satisfies Record<string, RequirementOfPush>;

export type Requirement = keyof typeof REQUIREMENTS;
export const REQUIREMENT_NAMES = Object.keys(REQUIREMENTS) as Requirement[];

export type PolicySettings = Pick<Settings, (typeof REQUIREMENTS)[Requirement]['settings'][CreationWay]>;

export function requiredProblem(origin: Origin): Problem {
  return 'setting' in origin
    ? new Problem('required_here', origin)
    : new Problem('required_in_group', origin);
}

function mustBeTrueProblem(origin: Origin): Problem {
  return 'setting' in origin
    ? new Problem('must_be_true_here', origin)
    : new Problem('must_be_true_in_group', origin);
}

function both<const T>(value: T): Record<CreationWay, T> {
  return { pages: value, api: value };
}
