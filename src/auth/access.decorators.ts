import type { Type } from '@nestjs/common';
import { SetMetadata } from '@nestjs/common';
import type { TokenScope } from './entities/api-token.entity.js';

export const ACCESS_LEVEL = Symbol('accessLevel');
export type PageAccessLevel =
  'page' | 'anonymous page' | 'signed-in page' | 'second factor page' | 'administrator page';
export type AccessLevel = 'anonymous' | 'public' | PageAccessLevel;

export const ENABLED_BY = Symbol('enabledBy');

/** The settings of a class that are true or false. */
type FlagOf<Declared> = {
  [Name in keyof Declared]: Declared[Name] extends boolean ? Name : never;
}[keyof Declared];

/** The routes of a controller exist only when a setting is true: otherwise they are a 404, with or without a token. */
export const EnabledBy = <Declared extends object>(type: Type<Declared>, setting: FlagOf<Declared>) =>
  SetMetadata(ENABLED_BY, [type, setting]);

export const TOKEN_SCOPE = Symbol('tokenScope');

/** Opens a route to tokens that may be used for this alone. Routes without it need a token for everything. */
export const ForTokens = (scope: Exclude<TokenScope, 'everything'>) => SetMetadata(TOKEN_SCOPE, scope);

/**
 * Opens a route to callers without a token, unless the instance allows no anonymous use.
 * A wrong token is still rejected. Routes without any of these decorators require a token.
 */
export const Anonymous = () => SetMetadata(ACCESS_LEVEL, 'anonymous' satisfies AccessLevel);

/** Opens a route to everyone; credentials are ignored. */
export const Public = () => SetMetadata(ACCESS_LEVEL, 'public' satisfies AccessLevel);

/** Opens a page to everyone and identifies signed-in users. Pages accept sessions, never tokens. */
export const PublicPage = () => SetMetadata(ACCESS_LEVEL, 'page' satisfies AccessLevel);

/** Opens a page to everyone, or only to signed-in users if the instance allows no anonymous use. */
export const AnonymousPage = () => SetMetadata(ACCESS_LEVEL, 'anonymous page' satisfies AccessLevel);

/** Opens a page to signed-in users; others are asked to sign in. */
export const SignedInPage = () => SetMetadata(ACCESS_LEVEL, 'signed-in page' satisfies AccessLevel);

/** The same, also for those who must set up a second factor before they may do anything else. */
export const SecondFactorPage = () => SetMetadata(ACCESS_LEVEL, 'second factor page' satisfies AccessLevel);

/** Opens a page to signed-in administrators. To other accounts it does not exist; others are asked to sign in. */
export const AdministratorPage = () => SetMetadata(ACCESS_LEVEL, 'administrator page' satisfies AccessLevel);
