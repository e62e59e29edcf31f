import { SetMetadata } from '@nestjs/common';

export const OPENNESS = Symbol('openness');
export type PageOpenness = 'page' | 'anonymous page' | 'member page';
export type Openness = 'anonymous' | 'public' | PageOpenness;

/**
 * Opens a route to callers without a token, unless the instance allows no anonymous use.
 * A token that is wrong is refused all the same. Routes that say nothing ask for a token.
 */
export const Anonymous = () => SetMetadata(OPENNESS, 'anonymous' satisfies Openness);

/** Opens a route to everyone; credentials are not even looked at. */
export const Public = () => SetMetadata(OPENNESS, 'public' satisfies Openness);

/** Opens a page to everyone; whoever is signed in is known to it. Pages know sessions, and never tokens. */
export const OpenPage = () => SetMetadata(OPENNESS, 'page' satisfies Openness);

/** Opens a page to everyone, unless the instance allows no anonymous use: then to those who are signed in. */
export const AnonymousPage = () => SetMetadata(OPENNESS, 'anonymous page' satisfies Openness);

/** Opens a page to those who are signed in; others are asked to do so. */
export const MemberPage = () => SetMetadata(OPENNESS, 'member page' satisfies Openness);
