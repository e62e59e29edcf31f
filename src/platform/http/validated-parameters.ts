import type { OnApplicationBootstrap, Type } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { PIPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { StartError } from '../settings/start-error.js';

/** The parameters of a handler, by what they are and their index. */
type Parameters = Record<string, { index: number; pipes: unknown[] }>;

/** Types that a parameter has without being a DTO. */
const NO_DTO: unknown[] = [String, Boolean, Number, Array, Object, Buffer, Date, Promise, undefined];

/** What `@Body()`, `@Query()` and `@Param()` are in Nest's `RouteParamtypes`. */
const OF_CLIENTS = /^[345]:/;

/**
 * Refuses to start with a parameter whose class nothing checks: no pipe runs on every route, because it costs each
 * parameter of each request time, and a client may send anything.
 */
@Injectable()
export class ValidatedParameters implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws StartError */
  onApplicationBootstrap(): void {
    const unchecked = this.discovery
      .getControllers()
      .flatMap(({ metatype }) => this.uncheckedIn(metatype as Type));
    if (unchecked.length > 0)
      throw new StartError(
        `Nothing validates the parameters of ${unchecked.join(', ')}: add @UsePipes(validationPipe), or a pipe of your own.`,
      );
  }

  private uncheckedIn(controller: Type): string[] {
    if (Reflect.hasMetadata(PIPES_METADATA, controller)) return [];
    const prototype = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => !Reflect.hasMetadata(PIPES_METADATA, prototype[name] as object))
      .filter((name) => takesUncheckedClass(controller, name))
      .map((name) => `${controller.name}.${name}`);
  }
}

function takesUncheckedClass(controller: Type, method: string): boolean {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Parameters;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ??
    []) as unknown[];
  return Object.entries(parameters).some(
    ([key, { index, pipes }]) => OF_CLIENTS.test(key) && pipes.length === 0 && !NO_DTO.includes(types[index]),
  );
}
