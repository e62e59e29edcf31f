import { PassThrough, Readable } from 'node:stream';
import { Test } from '@nestjs/testing';
import { BearerStrategy } from '../../src/auth/bearer.guard.js';
import { CliModule, COMMANDS } from '../../src/cli.module.js';
import type { NestModuleDefinition } from '../../src/custom/custom-modules.js';
import type { CommandApp } from '../../src/platform/cli/run-command.js';
import { runCommand } from '../../src/platform/cli/run-command.js';
import { AllSettings } from '../../src/platform/settings/read-settings.js';
import type { Client } from './client.js';
import type { Instance } from './instance.js';
import type { Run, RunOptions } from './run.js';

interface CommandOptions extends Omit<RunOptions, 'args' | 'killAfter'> {
  /** Additional modules, as others add them. */
  extensions?: NestModuleDefinition[];
}

/** Runs one of the operator's commands in this process: a tenth of the time of one of its own. */
export async function command(
  instance: Pick<Instance, 'env'>,
  args: string[],
  { env = {}, input = '', extensions: imports = [] }: CommandOptions = {},
): Promise<Run> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const start: CommandApp['start'] = async (command) => {
    const settings = new AllSettings({ ...instance.env, ...env });
    const module = await Test.createTestingModule({ imports: [command] })
      .overrideProvider(AllSettings)
      .useValue(settings)
      .overrideProvider(BearerStrategy) // passport has one per process, which an app of the test may be using
      .useValue({})
      .compile();
    return module.init();
  };
  const app = { commands: COMMANDS, service: () => Promise.resolve({ module: CliModule, imports }), start };
  const code = await runCommand(args, app, { stdin: Readable.from([input]), stdout, stderr });
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

/** Creates an account with the operator's command, and returns a client with its API token. */
export async function newApiClient(
  { anonymous }: { anonymous: Client },
  instance: Instance,
): Promise<Client> {
  return anonymous.with({ Authorization: `Bearer ${await newApiToken(instance)}` });
}

/** Creates an account with the operator's command, and returns its API token. */
export async function newApiToken(instance: Instance, email = 'owner@example.org'): Promise<string> {
  const { stdout } = await command(instance, ['user:create', email]);
  return JSON.parse(stdout).token;
}
