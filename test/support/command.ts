import { PassThrough, Readable } from 'node:stream';
import type { Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { BearerStrategy } from '../../src/auth/bearer.guard.js';
import { runCommand } from '../../src/features/commands/run-command.js';
import { AllSettings } from '../../src/platform/settings/read-settings.js';
import type { Instance } from './instance.js';
import type { Run, RunOptions } from './run.js';

/** Runs one of the operator's commands in this process: a tenth of the time of one of its own. */
export async function command(
  instance: Pick<Instance, 'env'>,
  args: string[],
  { env = {}, input = '' }: Omit<RunOptions, 'args' | 'killAfter'> = {},
): Promise<Run> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const start = async (command: Type) => {
    const settings = new AllSettings({ ...instance.env, ...env });
    const module = await Test.createTestingModule({ imports: [command] })
      .overrideProvider(AllSettings)
      .useValue(settings)
      .overrideProvider(BearerStrategy) // passport has one per process, which an app of the test may be using
      .useValue({})
      .compile();
    return module.init();
  };
  const code = await runCommand(args, start, { stdin: Readable.from([input]), stdout, stderr });
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

/** Creates an account with the operator's command, and returns its API token. */
export async function newApiToken(instance: Instance, email = 'owner@example.org'): Promise<string> {
  const { stdout } = await command(instance, ['user:create', email]);
  return JSON.parse(stdout).token;
}
