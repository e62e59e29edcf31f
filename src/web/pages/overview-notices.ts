import type { Request } from 'express';
import type { VNode } from 'preact';
import { contributedMethod } from '../../platform/contributions/contributions.js';

/** Says something to the administrator at the top of the overview; null for nothing. */
export const OverviewNotice = contributedMethod<(request: Request) => Promise<VNode | null>>();
