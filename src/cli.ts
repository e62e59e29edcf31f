// First, because a Node.js that is too old cannot even load the other imports.
import './start/node-version.js';
import './start/umask.js';
import 'reflect-metadata';
import { constants, setPriority } from 'node:os';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CliModule, COMMANDS } from './cli.module.js';
import type { CommandApp } from './platform/cli/run-command.js';
import { EXIT_FAILED, runCommand } from './platform/cli/run-command.js';
import { loadModules } from './start/load-modules.js';

let loaded: Promise<DynamicModule> | undefined;
const app: CommandApp = {
  commands: COMMANDS,
  service: () => (loaded ??= loadModules().then((imports) => ({ module: CliModule, imports }))),
  start: async (module) => {
    await app.service(); // loads the settings of the modules that are added, which are checked with all others
    return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  },
};

// In place of the arguments, which everyone on the machine could read: some are secrets.
process.title = 'sealpush';

// Some commands compute for minutes beside the service, whose requests go first.
setPriority(constants.priority.PRIORITY_LOW);

void runCommand(process.argv.slice(2), app, process).then((exitCode) => {
  process.exitCode = exitCode;
  if (exitCode === EXIT_FAILED) process.exit(); // a service that failed to start may have open connections
});
