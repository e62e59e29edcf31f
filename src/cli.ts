// First, because a Node.js that is too old cannot even load the other imports.
import './start/node-version.js';
import './start/umask.js';
import 'reflect-metadata';
import { constants, setPriority } from 'node:os';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CliModule } from './features/commands/cli.module.js';
import { EXIT_FAILED, runCommand } from './features/commands/run-command.js';
import { loadModules } from './start/load-modules.js';

/** With the modules that are added to the service, except while nothing but the tables of the service is imported. */
const start = async (command: Type) => {
  const imports = await loadModules();
  const module = command === CliModule ? { module: CliModule, imports } : command;
  return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
};

// In place of the arguments, which everyone on the machine could read: some are secrets.
process.title = 'sealpush';

// Some commands compute for minutes beside the service, whose requests go first.
setPriority(constants.priority.PRIORITY_LOW);

void runCommand(process.argv.slice(2), start, process).then((exitCode) => {
  process.exitCode = exitCode;
  if (exitCode === EXIT_FAILED) process.exit(); // a service that failed to start may have open connections
});
