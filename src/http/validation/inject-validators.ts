import type { INestApplicationContext, Type } from '@nestjs/common';
import { INJECTABLE_WATERMARK } from '@nestjs/common/constants.js';
import { useContainer } from 'class-validator';

/**
 * Makes class-validator use constraints that are providers of the app, with their dependencies; it creates the others
 * itself. They are looked up only once, because class-validator requests them at each validation.
 */
export function injectValidators(app: INestApplicationContext): void {
  const found = new Map<unknown, unknown>();
  const get = (constraint: Type) => {
    if (!found.has(constraint))
      found.set(constraint, isInjectable(constraint) ? app.get(constraint) : undefined);
    return found.get(constraint);
  };
  useContainer({ get: (constraint) => get(constraint as Type) }, { fallback: true });
}

function isInjectable(constraint: Type): boolean {
  return Reflect.hasMetadata(INJECTABLE_WATERMARK, constraint);
}
