import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NestModuleDefinition } from '../custom/custom-modules.js';
import { customModules } from '../custom/custom-modules.js';
import { currentFaults, currentModules } from '../platform/settings/current-settings.js';
import { StartError } from '../platform/settings/start-error.js';

/** Packages of which there may be only one copy: Nest does not recognize the classes of another one, nor preact its state. */
const SHARED =
  /^(?:sealpush|@nestjs\/[^/]+|typeorm|class-validator|class-transformer|preact|reflect-metadata|rxjs)(?:\/|$)/;

/**
 * The modules that are added to the service, by MODULES or in its source.
 * @throws StartError with the faults of all modules that cannot be loaded, and of the settings
 */
export async function loadModules(): Promise<NestModuleDefinition[]> {
  const modules = [...customModules];
  const names = currentModules();
  if (names.length > 0) sharePackages();
  const faults: string[] = [];
  for (const name of names) {
    try {
      modules.push(await load(name));
    } catch (error) {
      faults.push((error as StartError).message);
    }
  }
  if (faults.length > 0)
    throw new StartError(`Wrong settings. ${[...currentFaults(), ...faults].join('; ')}`);
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
      return { url: pathToFileURL(require.resolve(name)).href, shortCircuit: true }; // also for `import`, as the service
    },
  });
}

/** @throws StartError */
async function load(name: string): Promise<NestModuleDefinition> {
  const found = (await exportsOf(name)).find(isNestModule);
  if (!found)
    throw new StartError(
      `MODULES: ${name} must export a Nest module, as its default or with the name "module".`,
    );
  return found;
}

/** What may be the module of a file, which is found from the working directory, as `require` would. */
async function exportsOf(name: string): Promise<unknown[]> {
  try {
    const path = nodeModule.createRequire(join(process.cwd(), 'package.json')).resolve(name);
    const exported = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
    const nested = exported.default as Record<string, unknown> | undefined; // of CommonJS, all exports
    return await Promise.all([exported.module, exported.default, nested?.module, nested?.default]); // forRoot may be async
  } catch (error) {
    const { code, message, stack } = error as NodeJS.ErrnoException;
    const isPlain = code !== undefined || error instanceof StartError; // otherwise the stack shows where the module fails
    const reason = isPlain ? message.split('\n')[0] : stack;
    throw new StartError(`MODULES: ${name} cannot be loaded. ${reason ?? String(error)}`);
  }
}

/** A class, of which `@Module({})` leaves no trace, or what names one as `module`. */
function isNestModule(value: unknown): value is NestModuleDefinition {
  return isClass(value) || isClass((value as { module?: unknown } | null | undefined)?.module);
}

function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}
