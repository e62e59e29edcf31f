import { SetMetadata } from '@nestjs/common';

export const OPENNESS = Symbol('openness');
export type Openness = 'anonymous' | 'public';

/**
 * Opens a route to callers without a token, unless the instance allows no anonymous use.
 * A token that is wrong is refused all the same. Routes that say nothing ask for a token.
 */
export const Anonymous = () => SetMetadata(OPENNESS, 'anonymous' satisfies Openness);

/** Opens a route to everyone; credentials are not even looked at. */
export const Public = () => SetMetadata(OPENNESS, 'public' satisfies Openness);
