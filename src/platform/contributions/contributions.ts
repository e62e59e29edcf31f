import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** A decorator by which `Contributions` finds what has it. */
interface Contributed<Contribution> {
  readonly KEY: string;
  /** Not there: for the compiler, which infers the type. */
  readonly contribution?: Contribution;
}

/** A decorator for classes of providers. */
export interface ProviderDecorator<Provider, Argument> extends Contributed<Provider> {
  (argument: Argument): (target: new (...values: never[]) => Provider) => void;
}

/** A decorator for methods. */
export interface MethodDecoratorFor<Method, Argument> extends Contributed<Method> {
  (
    argument: Argument,
  ): <Decorated extends Method>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<Decorated>,
  ) => void;
}

/** Makes a decorator for classes of providers that any module may contribute. */
export function contributedProvider<Provider, Argument = void>(): ProviderDecorator<Provider, Argument> {
  return DiscoveryService.createDecorator<Argument>();
}

/** Makes a decorator for methods that any module may contribute. */
export function contributedMethod<Method, Argument = void>(): MethodDecoratorFor<Method, Argument> {
  return DiscoveryService.createDecorator<Argument>();
}

/**
 * Finds what modules contribute by decorators. It looks into all modules of the app, so that nothing has to list them; ask it
 * in `onModuleInit` or later, when all providers exist.
 */
@Injectable()
export class Contributions {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** The providers whose classes have the decorator, each with the argument of the decorator. */
  providers<Provider, Argument>({ KEY }: ProviderDecorator<Provider, Argument>): [Argument, Provider][] {
    return this.discovery
      .getProviders({ metadataKey: KEY })
      .map(({ instance }) => [
        Reflect.getMetadata(KEY, (instance as object).constructor) as Argument,
        instance as Provider,
      ]);
  }

  /** The methods that have the decorator, bound to their providers, each with the argument of the decorator. */
  methods<Method, Argument>({ KEY }: MethodDecoratorFor<Method, Argument>): [Argument, Method][] {
    const instances = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    return [...new Set(instances)].filter(isObject).flatMap((instance) => {
      const prototype = Object.getPrototypeOf(instance) as Methods;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(KEY, prototype[name] as object))
        .map((name): [Argument, Method] => [
          Reflect.getMetadata(KEY, prototype[name] as object) as Argument,
          ((...values: unknown[]) => instance[name]?.(...values)) as Method,
        ]);
    });
  }
}

/**
 * Contributions by the names that their decorators give them.
 * @param what they are, for the error
 * @throws Error when two have the same name
 */
export function byName<Contribution>(
  what: string,
  contributions: [name: string, Contribution][],
): ReadonlyMap<string, Contribution> {
  const named = new Map<string, Contribution>();
  for (const [name, contribution] of contributions) {
    if (named.has(name)) throw new Error(`There are two ${what} with the name ${name}`);
    named.set(name, contribution);
  }
  return named;
}

type Methods = Record<string, (...values: unknown[]) => unknown>;

function isObject(value: unknown): value is Methods {
  return typeof value === 'object' && value !== null;
}
