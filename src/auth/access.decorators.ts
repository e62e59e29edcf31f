import { SetMetadata } from '@nestjs/common';

export const ACCESS_LEVEL = Symbol('accessLevel');
export type PageAccessLevel = 'page' | 'anonymous page' | 'member page';
export type AccessLevel = 'anonymous' | 'public' | PageAccessLevel;

/**
 * Opens a route to callers without a token, unless the instance allows no anonymous use.
 * A token that is wrong is refused all the same. Routes that say nothing ask for a token.
 */
export const Anonymous = () => SetMetadata(ACCESS_LEVEL, 'anonymous' satisfies AccessLevel);

/** Opens a route to everyone; credentials are not even looked at. */
export const Public = () => SetMetadata(ACCESS_LEVEL, 'public' satisfies AccessLevel);

/** Opens a page to everyone; whoever is signed in is known to it. Pages know sessions, and never tokens. */
export const OpenPage = () => SetMetadata(ACCESS_LEVEL, 'page' satisfies AccessLevel);

/** Opens a page to everyone, unless the instance allows no anonymous use: then to those who are signed in. */
export const AnonymousPage = () => SetMetadata(ACCESS_LEVEL, 'anonymous page' satisfies AccessLevel);

/** Opens a page to those who are signed in; others are asked to do so. */
export const MemberPage = () => SetMetadata(ACCESS_LEVEL, 'member page' satisfies AccessLevel);
