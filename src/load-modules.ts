import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DynamicModule } from '@nestjs/common';
import type { NestModuleDefinition } from './custom/custom-modules.js';
import { customModules } from './custom/custom-modules.js';
import { currentModules } from './settings/current-settings.js';
import { StartError } from './settings/start-error.js';

/** Packages of which there may be only one copy: Nest does not recognize the classes of another one. */
const SHARED =
  /^(?:sealpush|@nestjs\/[^/]+|typeorm|class-validator|class-transformer|reflect-metadata|rxjs)(?:\/|$)/;

/**
 * The modules that are added to the service, by MODULES or in its source.
 * @throws StartError
 */
export async function loadModules(): Promise<NestModuleDefinition[]> {
  const modules = [...customModules];
  const names = currentModules();
  if (names.length > 0) sharePackages();
  for (const name of names) modules.push(await load(name));
  return modules;
}

/** Makes modules use the packages of the service, wherever their files are and whatever is installed there. */
function sharePackages(): void {
  const { registerHooks } = nodeModule as Partial<typeof nodeModule>;
  if (!registerHooks) throw new StartError('MODULES needs Node.js 22.15 or newer.');
  const parentURL = pathToFileURL(__filename).href;
  registerHooks({
    resolve: (name, context, next) => {
      if (!SHARED.test(name) || context.parentURL === parentURL) return next(name, context);
      if (context.conditions.includes('import')) return next(name, { ...context, parentURL });
      return { url: pathToFileURL(require.resolve(name)).href, shortCircuit: true }; // `require` ignores parentURL
    },
  });
}

async function load(name: string): Promise<NestModuleDefinition> {
  const exported = await importModule(name);
  const nested = exported.default as Record<string, unknown> | undefined; // of CommonJS, all exports
  const found = [exported.module, exported.default, nested?.module, nested?.default].find(isNestModule);
  if (!found)
    throw new StartError(
      `MODULES: ${name} must export a Nest module, as its default or with the name "module".`,
    );
  return found;
}

/** From the working directory, as `require` would. */
async function importModule(name: string): Promise<Record<string, unknown>> {
  try {
    const path = nodeModule.createRequire(join(process.cwd(), 'package.json')).resolve(name);
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (error) {
    const { code, message, stack } = error as NodeJS.ErrnoException;
    const reason = code === undefined ? stack : message.split('\n')[0]; // the stack shows where the module itself fails
    throw new StartError(`MODULES: ${name} cannot be loaded. ${reason ?? String(error)}`);
  }
}

function isNestModule(value: unknown): value is NestModuleDefinition {
  const type: unknown = (value as Partial<DynamicModule> | undefined)?.module ?? value;
  return (
    typeof type === 'function' &&
    ['imports', 'controllers', 'providers', 'exports'].some((key) => Reflect.hasMetadata(key, type))
  );
}
