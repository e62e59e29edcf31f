import type { OnModuleInit, Type } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { StartError } from '../settings/start-error.js';

/** A decorator by which `Contributions` finds what has it. */
interface ContributionDecorator<Contributed> {
  readonly KEY: string;
  /** Not there: for the compiler, which infers the type. */
  readonly contributed?: Contributed;
}

/** A decorator for classes of providers. */
export interface ProviderDecorator<Provider, Argument> extends ContributionDecorator<Provider> {
  (argument: Argument): (target: new (...values: never[]) => Provider) => void;
}

/** A decorator for methods of providers and controllers. */
export interface MethodDecoratorFor<Method, Argument> extends ContributionDecorator<Method> {
  (
    argument: Argument,
  ): <Decorated extends Method>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<Decorated>,
  ) => void;
}

/** All that were made. */
const PROVIDER_DECORATORS: ProviderDecorator<unknown, never>[] = [];
const METHOD_DECORATORS: MethodDecoratorFor<unknown, never>[] = [];

/** Makes a decorator for classes of providers that any module may contribute. */
export function contributedProvider<Provider, Argument = void>(): ProviderDecorator<Provider, Argument> {
  const decorator = DiscoveryService.createDecorator<Argument>();
  PROVIDER_DECORATORS.push(decorator);
  return decorator;
}

/** Makes a decorator for methods that any module may contribute. */
export function contributedMethod<Method, Argument = void>(): MethodDecoratorFor<Method, Argument> {
  const decorator = DiscoveryService.createDecorator<Argument>();
  METHOD_DECORATORS.push(decorator);
  return decorator;
}

/** A provider, or a method of one that can be called without it. */
export interface Contribution<Contributed, Argument> {
  contributed: Contributed;
  /** Of the decorator. */
  argument: Argument;
  /** For errors, such as `MailerService` or `SecretRequestMails.composeLink`. */
  place: string;
}

/** A method, with what Nest's `Reflector` finds other decorators by. */
interface MethodContribution<Contributed, Argument> extends Contribution<Contributed, Argument> {
  targets: [method: () => unknown, type: Type];
}

const contributedBy = (contributions: Contribution<unknown, unknown>[]) =>
  contributions.map(({ contributed }) => contributed);

/**
 * Finds what modules contribute by decorators. It looks into all modules of the app, so that nothing has to list them; ask it
 * in `onModuleInit` or later, when all providers exist.
 */
@Injectable()
export class Contributions implements OnModuleInit {
  private decorated: DecoratedMethod[] | undefined;
  private readonly lists = new Map<string, unknown[]>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws StartError when one of any decorator is wrong */
  onModuleInit(): void {
    for (const decorator of PROVIDER_DECORATORS)
      this.lists.set(decorator.KEY, contributedBy(this.providers(decorator)));
    for (const decorator of METHOD_DECORATORS)
      this.lists.set(decorator.KEY, contributedBy(this.methods(decorator)));
  }

  /** The providers or methods that have the decorator, without arguments. There are none before the start. */
  all<Contributed>({ KEY }: ContributionDecorator<Contributed>): readonly Contributed[] {
    return (this.lists.get(KEY) ?? []) as Contributed[];
  }

  /**
   * The providers whose classes have the decorator.
   * @throws StartError when one of them is not made once for the app
   */
  providers<Provider, Argument>({
    KEY,
  }: ProviderDecorator<Provider, Argument>): Contribution<Provider, Argument>[] {
    return distinct(this.discovery.getProviders({ metadataKey: KEY })).map((wrapper) => {
      const { instance } = wrapper;
      const { constructor } = instance;
      assertSingleton(wrapper);
      return {
        contributed: instance as Provider,
        argument: Reflect.getMetadata(KEY, constructor) as Argument,
        place: constructor.name,
      };
    });
  }

  /**
   * The methods that have the decorator.
   * @throws StartError when the provider of one is not made once for the app
   */
  methods<Method, Argument>({
    KEY,
  }: MethodDecoratorFor<Method, Argument>): MethodContribution<Method, Argument>[] {
    this.decorated ??= this.findDecorated();
    return this.decorated
      .filter(({ method }) => Reflect.hasMetadata(KEY, method))
      .map(({ wrapper, name, method }) => {
        assertSingleton(wrapper);
        const instance = wrapper.instance as Methods;
        const type = instance.constructor as unknown as Type;
        return {
          contributed: ((...values: unknown[]) => instance[name]?.(...values)) as Method,
          argument: Reflect.getMetadata(KEY, method) as Argument,
          place: `${type.name}.${name}`,
          targets: [method, type],
        };
      });
  }

  /** All methods that have any decorator. There are thousands without one, so they are looked through once. */
  private findDecorated(): DecoratedMethod[] {
    const wrappers = distinct([...this.discovery.getProviders(), ...this.discovery.getControllers()]);
    return wrappers.flatMap((wrapper) => {
      const prototype = Object.getPrototypeOf(wrapper.instance) as Methods;
      return this.scanner
        .getAllMethodNames(prototype)
        .map((name) => ({ wrapper, name, method: prototype[name] as () => unknown }))
        .filter(({ method }) => Reflect.getMetadataKeys(method).length > 0);
    });
  }
}

/**
 * Contributions by the names that are the arguments of their decorators.
 * @throws StartError when two have the same name
 */
export function byName<Contributed>(
  contributions: Contribution<Contributed, string>[],
): ReadonlyMap<string, Contributed> {
  const named = keyed(contributions, (name) => name);
  return new Map([...named].map(([name, { contributed }]) => [name, contributed]));
}

/**
 * Contributions by a name that is in the arguments of their decorators.
 * @throws StartError when two have the same name
 */
export function keyed<Contributed, Argument>(
  contributions: Contribution<Contributed, Argument>[],
  nameOf: (argument: Argument) => string,
): ReadonlyMap<string, Contribution<Contributed, Argument>> {
  const named = new Map<string, Contribution<Contributed, Argument>>();
  for (const contribution of contributions) {
    const { argument, place } = contribution;
    const name = nameOf(argument);
    const other = named.get(name);
    if (other)
      throw new StartError(`${other.place} and ${place} have decorators with the same name, ${name}.`);
    named.set(name, contribution);
  }
  return named;
}

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type WithObject = Pick<Wrapper, 'isDependencyTreeStatic' | 'isTransient'> & { instance: object };
type Methods = Record<string, (...values: unknown[]) => unknown>;

interface DecoratedMethod {
  wrapper: WithObject;
  name: string;
  method: () => unknown;
}

/** Those with an object, each once: factories may return what is a provider itself. */
function distinct(wrappers: Wrapper[]): WithObject[] {
  const byInstance = new Map<unknown, Wrapper>();
  for (const wrapper of wrappers) byInstance.set(wrapper.instance, wrapper);
  return [...byInstance.values()].filter(
    ({ instance }) => typeof instance === 'object' && instance !== null,
  ) as WithObject[];
}

/** Of other providers there is only the prototype, whose constructor has not been called. */
function assertSingleton(wrapper: WithObject): void {
  if (wrapper.isDependencyTreeStatic() && !wrapper.isTransient) return;
  const { name } = wrapper.instance.constructor;
  throw new StartError(
    `${name} contributes to other modules, so it must be made once, not for each request.`,
  );
}
