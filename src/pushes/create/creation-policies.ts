import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { AccountGroup } from '../../auth/entities/account-group.entity.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AccountGroupsService } from '../../auth/groups/account-groups.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { clientAddress } from '../../platform/http/client-address.js';
import type { Network } from '../../platform/settings/networks.js';
import { isWithin, parseNetworks } from '../../platform/settings/networks.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Refusal } from './creation-policy.js';
import { CreationPolicy } from './creation-policy.js';

declare module 'express-serve-static-core' {
  interface Request {
    creationPolicy?: CreationPolicy;
  }
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
    const user = request.user as User | undefined;
    return (request.creationPolicy ??= this.policyFor(request, user && (await this.groups.of(user))));
  }

  /** The same without the rules of a group unless they are known already: for a page that must not wait. */
  known(request: Request): CreationPolicy {
    return request.creationPolicy ?? this.policyFor(request, undefined);
  }

  private policyFor(request: Request, group: AccountGroup | undefined): CreationPolicy {
    return new CreationPolicy(this.settings, this.refusalOf(request, group), group);
  }

  private refusalOf(request: Request, group: AccountGroup | undefined): Refusal | undefined {
    const user = request.user as User | undefined;
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
