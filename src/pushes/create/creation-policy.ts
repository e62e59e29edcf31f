import { ForbiddenException, UnauthorizedException, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { AccountGroup, GroupRequirements } from '../../auth/entities/account-group.entity.js';
import { Problem } from '../../platform/errors/problem.js';
import type { CreatePushDto, PushDefaults } from './create-push.dto.js';
import { DURATION_SCALE } from './create-push.dto.js';
import type { Limits } from './push-rules.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AccountGroupsService } from '../../auth/groups/account-groups.service.js';
import { clientAddress } from '../../platform/http/visitor.js';
import type { Network } from '../../platform/settings/networks.js';
import { isWithin, parseNetworks } from '../../platform/settings/networks.js';
import { Settings } from '../../platform/settings/settings.js';
import type { FieldProblems, Bounds } from '../../platform/http/validation/validation.pipe.js';
import { problemsIn, isAbsent } from '../../platform/http/validation/validation.pipe.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { isBlankList } from '../fields/list-fields.js';

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

type Requirement = keyof typeof REQUIREMENTS;
const REQUIREMENT_NAMES = Object.keys(REQUIREMENTS) as Requirement[];

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

/** Why a visitor may not create: nothing helps, or signing in does. */
type CreationRefusal = Problem | 'sign in';

interface LimitRules {
  days: Bounds;
  views: Bounds;
  defaults: PushDefaults;
}

/**
 * What one visitor may create, beside the rules for every push: what the settings require, and the rules of the group of
 * the account, which can only be stricter.
 */
export class CreationPolicy {
  constructor(
    private readonly settings: PolicySettings,
    readonly refusal?: CreationRefusal,
    private readonly group?: AccountGroup,
  ) {}

  /**
   * @throws ForbiddenException
   * @throws UnauthorizedException where a token would help
   */
  assertMayCreate(): void {
    if (this.refusal === 'sign in') throw new UnauthorizedException(new Problem('token_needed'));
    if (this.refusal) throw new ForbiddenException(this.refusal);
  }

  /** Whether something is required, by a setting or the group. */
  requires(requirement: Requirement, way: CreationWay): boolean {
    return this.originOf(requirement, way) !== undefined;
  }

  /** The fields of a push that cannot be left as they are. */
  requiredFields(way: CreationWay): Set<string> {
    const required = REQUIREMENT_NAMES.filter((name) => this.requires(name, way));
    return new Set(required.map((name) => REQUIREMENTS[name].fields[way]));
  }

  /** The limits and defaults of the instance, as far as the group allows them. */
  within(rules: LimitRules): LimitRules {
    const days = lowered(rules.days, this.group?.maxDays);
    const views = lowered(rules.views, this.group?.maxViews);
    const defaults = {
      ...rules.defaults,
      days: Math.min(rules.defaults.days, days.max),
      views: Math.min(rules.defaults.views, views.max),
    };
    return { days, views, defaults };
  }

  /** Fills in what a push does not say where the default of the instance would break a rule. */
  fillIn(push: Limits & Pick<CreatePushDto, 'retrieval_step'>, rules: LimitRules, way: CreationWay): void {
    this.fillInLimits(push, rules);
    if (this.requires('click', way)) push.retrieval_step ??= true;
  }

  fillInLimits(limits: Limits, rules: LimitRules): void {
    if (!this.group) return;
    const { defaults } = this.within(rules);
    if (isAbsent(limits.expire_after_days ?? limits.expire_after_duration))
      limits.expire_after_days = defaults.days;
    limits.expire_after_views ??= defaults.views;
  }

  /** What is wrong with a push, by the names of its fields. */
  problemsOf(push: CreatePushDto, rules: LimitRules, way: CreationWay): Record<string, Problem[]> {
    const problems = REQUIREMENT_NAMES.map((name) => {
      const { fields, isMissing, problem } = REQUIREMENTS[name];
      const origin = this.originOf(name, way);
      return [fields[way], origin && isMissing(push) && problem(origin, way)] as const;
    });
    return problemsIn({ ...this.limitProblems(push, rules), ...Object.fromEntries(problems) });
  }

  /** What is above the limits of the group. */
  limitProblems(limits: Limits, rules: LimitRules): Partial<Record<keyof Limits, FieldProblems>> {
    if (!this.group) return {};
    const { expire_after_days: days, expire_after_duration: step, expire_after_views: views } = limits;
    const { days: allowedDays, views: allowedViews } = this.within(rules);
    const { name: group } = this.group;
    return {
      expire_after_days:
        isAbove(days, allowedDays, rules.days) &&
        new Problem('too_large_for_group', { ...allowedDays, group }),
      expire_after_duration:
        isAbsent(days) &&
        isAbove(DURATION_SCALE[step ?? -1]?.days, allowedDays, rules.days) &&
        new Problem('too_many_days_for_group', { ...allowedDays, group }),
      expire_after_views:
        isAbove(views, allowedViews, rules.views) &&
        new Problem('too_large_for_group', { ...allowedViews, group }),
    };
  }

  /** What requires something: a setting or, if none does, the group; undefined if neither does. */
  originOf(requirement: Requirement, way: CreationWay): Origin | undefined {
    const { settings, ofGroup } = REQUIREMENTS[requirement];
    const setting = settings[way];
    const value = this.settings[setting];
    if (value === 'required' || includes(value, way)) return { setting };
    return this.group && includes(this.group[ofGroup.rule], way) ? { group: this.group.name } : undefined;
  }
}

function includes(required: string, way: CreationWay): boolean {
  return required === 'true' || required === way;
}

/** The settings win: a group cannot go below the smallest number that they allow. */
function lowered({ min, max }: Bounds, most: number | null | undefined): Bounds {
  return { min, max: Math.max(min, Math.min(max, most ?? max)) };
}

/** Whether the group refuses a number that the instance allows. */
function isAbove(value: unknown, ofGroup: Bounds, ofInstance: Bounds): boolean {
  return typeof value === 'number' && value > ofGroup.max && value <= ofInstance.max;
}

/** Says what the visitor of a request may create. */
@Injectable()
export class CreationPolicies {
  private readonly creators: Network[];
  private readonly anonymousCreators: Network[];

  constructor(
    private readonly settings: Settings,
    private readonly groups: AccountGroupsService,
  ) {
    this.creators = parseNetworks(settings.CREATORS);
    this.anonymousCreators = parseNetworks(settings.ANONYMOUS_CREATORS);
  }

  /** With the rules of the group of the account, which take a query if it has one. */
  async of(request: Request): Promise<CreationPolicy> {
    const { user } = request;
    return this.policyFor(request, user && (await this.groups.of(user)));
  }

  /** The same without the rules of a group: for a page that must not wait. */
  withoutGroup(request: Request): CreationPolicy {
    return this.policyFor(request, undefined);
  }

  private policyFor(request: Request, group: AccountGroup | undefined): CreationPolicy {
    return new CreationPolicy(this.settings, this.refusalOf(request, group), group);
  }

  private refusalOf(request: Request, group: AccountGroup | undefined): CreationRefusal | undefined {
    const { user } = request;
    const ip = clientAddress(request);
    if (this.creators.length > 0 && !isWithin(ip, this.creators))
      return new Problem('creating_not_from_here');
    if (!user) return this.mayBeAnonymous(ip) ? undefined : 'sign in';
    if (!this.isOfDomain(user)) return new Problem('creating_not_with_email');
    return group && !group.mayCreate
      ? new Problem('creating_not_in_group', { group: group.name })
      : undefined;
  }

  private mayBeAnonymous(ip: string): boolean {
    const { ALLOW_ANONYMOUS, CREATOR_DOMAINS } = this.settings;
    if (!ALLOW_ANONYMOUS) return false;
    return this.anonymousCreators.length === 0
      ? CREATOR_DOMAINS.length === 0
      : isWithin(ip, this.anonymousCreators);
  }

  /** An address that nobody has verified may be somebody else's. */
  private isOfDomain({ email, emailUnverified }: User): boolean {
    const { CREATOR_DOMAINS } = this.settings;
    if (CREATOR_DOMAINS.length === 0) return true;
    return !emailUnverified && CREATOR_DOMAINS.includes(email.slice(email.lastIndexOf('@') + 1));
  }
}
