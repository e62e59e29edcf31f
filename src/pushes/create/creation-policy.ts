import { ForbiddenException, UnauthorizedException, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { AccountGroup } from '../../auth/entities/account-group.entity.js';
import { Problem } from '../../platform/errors/problem.js';
import { isBlankList } from '../fields/list-fields.js';
import type { CreatePushDto, PushDefaults } from './create-push.dto.js';
import { DURATION_SCALE } from './duration-scale.js';
import type { Bounds, FieldProblems, Limits } from './push-rules.js';
import { problemsIn } from './push-rules.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AccountGroupsService } from '../../auth/groups/account-groups.service.js';
import { clientAddress } from '../../platform/http/visitor.js';
import type { Network } from '../../platform/settings/networks.js';
import { isWithin, parseNetworks } from '../../platform/settings/networks.js';
import { Settings } from '../../platform/settings/settings.js';
import { isAbsent } from '../fields/push-fields.js';

/** By which way something is created. */
export type CreationWay = 'pages' | 'api';

/** What can be required of a push. */
export type Requirement = 'passphrase' | 'click' | 'recipients' | 'encryption';

export type PolicySettings = Pick<
  Settings,
  'REQUIRE_PASSPHRASE' | 'REQUIRE_CLICK' | 'REQUIRE_RECIPIENTS' | 'END_TO_END' | 'END_TO_END_API'
>;

/** Why a visitor may not create: nothing helps, or signing in does. */
export type CreationRefusal = Problem | 'sign in';

/** What has a rule: the name of a setting, or of the group of the account. */
type Origin = { setting: string } | { group: string };

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
    const isEncrypted = push.client_encrypted === true;
    const encryption = isEncrypted ? undefined : this.originOf('encryption', way);
    return problemsIn({
      ...this.limitProblems(push, rules),
      // only its client knows whether what it encrypts has a passphrase, and the page of that always waits for a click
      passphrase: !isEncrypted && !push.passphrase && requiredProblem(this.originOf('passphrase', way)),
      retrieval_step:
        !isEncrypted && push.retrieval_step === false && mustBeTrueProblem(this.originOf('click', way)),
      recipients: isBlankList(push.recipients) && requiredProblem(this.originOf('recipients', way)),
      ...(way === 'pages'
        ? { form: encryption && new Problem('not_encrypted_in_browser') }
        : { client_encrypted: mustBeTrueProblem(encryption) }),
    });
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
    if (this.isInSettings(requirement, way)) return { setting: settingOf(requirement, way) };
    if (this.group && this.isInGroup(requirement, way, this.group)) return { group: this.group.name };
    return undefined;
  }

  private isInSettings(requirement: Requirement, way: CreationWay): boolean {
    const value = this.settings[settingOf(requirement, way)];
    return value === 'required' || includes(value, way);
  }

  private isInGroup(requirement: Requirement, way: CreationWay, group: AccountGroup): boolean {
    const required = {
      passphrase: group.requirePassphrase,
      click: group.requireClick,
      recipients: group.requireRecipients,
      encryption: group.requireEndToEnd,
    };
    return includes(required[requirement], way);
  }
}

function settingOf(requirement: Requirement, way: CreationWay): keyof PolicySettings {
  const ofWay = { pages: 'END_TO_END', api: 'END_TO_END_API' } as const;
  const settings = {
    passphrase: 'REQUIRE_PASSPHRASE',
    click: 'REQUIRE_CLICK',
    recipients: 'REQUIRE_RECIPIENTS',
    encryption: ofWay[way],
  } as const;
  return settings[requirement];
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

export function requiredProblem(origin: Origin | undefined): Problem | undefined {
  if (!origin) return undefined;
  return 'setting' in origin
    ? new Problem('required_here', origin)
    : new Problem('required_in_group', origin);
}

function mustBeTrueProblem(origin: Origin | undefined): Problem | undefined {
  if (!origin) return undefined;
  return 'setting' in origin
    ? new Problem('must_be_true_here', origin)
    : new Problem('must_be_true_in_group', origin);
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
