import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Context } from './context.js';

/** What a program may do besides reading: each is a tool that is served only if it is allowed. */
export const PERMISSIONS = ['push', 'ask', 'expire'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export function addMcpCommand(program: Command, context: Context, version: string): void {
  program
    .command('mcp')
    .description(
      'Serve the Model Context Protocol on stdin and stdout. Programs get links and states of pushes, never secrets.',
    )
    .option(
      '--allow <tools>',
      'what programs may do besides "list" and "status": push, ask and expire, with commas between them',
      permissionsIn,
    )
    .action(async ({ allow = [] }: { allow?: Permission[] }) => {
      const { serve } = await import('./mcp-server.js'); // other commands need not evaluate it
      await serve(context, new Set(allow), version);
    });
}

function permissionsIn(text: string): Permission[] {
  return text.split(',').map((word) => {
    const permission = PERMISSIONS.find((one) => one === word.trim());
    if (permission === undefined)
      throw new InvalidArgumentError(`--allow takes ${PERMISSIONS.join(', ')}, with commas between them.`);
    return permission;
  });
}
