import { SetMetadata } from '@nestjs/common';
import type { PushKind } from './push-kind.js';

export const PUSH_KEY = Symbol('push key');

/** Under which key a route's body holds the push, and which kind it then is whatever it says. */
export interface PushKeyOptions {
  key: string;
  kind?: PushKind;
}

/** Names the key for a route; `push` where nothing is said. */
export const PushKey = (key: string, kind?: PushKind) =>
  SetMetadata(PUSH_KEY, { key, kind } satisfies PushKeyOptions);
