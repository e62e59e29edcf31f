import 'reflect-metadata';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { PROPERTY_DEPS_METADATA } from '@nestjs/common/constants.js';
import { AppModule } from '../../src/app.module.js';
import { instanceAuditKinds } from '../../src/platform/instance-audit/instance-audit-kinds.js';

const MAX_PROVIDERS = 12;
const MAX_DEPENDENCIES = 7;

/** Classes with more dependencies, and why. At most five. */
const LARGER = {
  AccountActionsController: 'each button on the page of an account is an operation of another service',
  AccountRemovalService: 'one transaction removes what all tables have of an account',
  CreationsService: 'one transaction has the push, its files, its mails, its audit entry and all quotas',
  PageRenderer: 'collects what every page shows',
  SecretRequestsService: 'one transaction has the request, its mails, its audit entry and their quota',
};

type Imported = Type | DynamicModule;

const modules = new Set<Type>();
const types = new Set<Type>();

function collect(imported: Imported): void {
  const dynamic: Partial<DynamicModule> & { module: Type } =
    'module' in imported ? imported : { module: imported };
  const { module, imports = [], providers = [], controllers = [] } = dynamic;
  const isKnown = modules.has(module);
  modules.add(module);
  const own = isKnown ? [] : [...of<Provider>('providers', module), ...of<Type>('controllers', module)];
  for (const provider of [...providers, ...controllers, ...own]) {
    if (typeof provider === 'function') types.add(provider);
    else if ('useClass' in provider) types.add(provider.useClass);
  }
  const all = [...(imports as Imported[]), ...(isKnown ? [] : of<Imported>('imports', module))];
  all.forEach(collect);
}

function of<Part>(part: string, module: Type): Part[] {
  return (Reflect.getMetadata(part, module) as Part[] | undefined) ?? [];
}

/** Those of the constructor, and the properties with `@Inject()`. */
function dependenciesOf(type: Type): number {
  return of('design:paramtypes', type).length + of(PROPERTY_DEPS_METADATA, type).length;
}

collect(AppModule);

describe('The modules of the service', () => {
  it(`have at most ${MAX_PROVIDERS} providers`, () => {
    const larger = [...modules].filter((module) => of('providers', module).length > MAX_PROVIDERS);

    expect(modules.size).toBeGreaterThan(40);
    expect(larger.map(({ name }) => name)).toEqual([]);
  });

  it(`have providers and controllers with at most ${MAX_DEPENDENCIES} dependencies, but for those listed here`, () => {
    const larger = [...types].filter((type) => dependenciesOf(type) > MAX_DEPENDENCIES);

    expect(types.size).toBeGreaterThan(150);
    expect(larger.map(({ name }) => name).sort()).toEqual(Object.keys(LARGER).sort());
  });

  it('know all that commands record in the audit log, to show it', async () => {
    const known = instanceAuditKinds();
    await import('../../src/cli.module.js');

    expect(known).toContain('database_exported');
    expect(instanceAuditKinds()).toEqual(known);
  });
});
