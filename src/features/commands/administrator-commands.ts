import type { Command } from 'commander';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import type { CommandContext } from '../../platform/cli/command-context.js';

/** The operator can also remove the last administrator: the setup code at the next start leads to a new one. */
export const MAY_BE_LAST = { mayBeLast: true };

/** The commands for who is an administrator. */
export function addAdministratorCommands(program: Command, { inService, print }: CommandContext): void {
  program
    .command('user:grant-admin')
    .argument('<email>')
    .option('--existing', 'also for an account that was created by signing up')
    .description('make an account an administrator, who manages the accounts of others on the pages')
    .action((email: string, { existing = false }: { existing?: boolean }) =>
      inService(async (service) => {
        const user = await service.get(AccountAdministration).findWithKnownOwner(email, existing);
        await service.get(AdministratorsService).promote(user);
        print({ email: user.email, administrator: true });
      }),
    );

  program
    .command('user:revoke-admin')
    .argument('<email>')
    .description('undo user:grant-admin')
    .action((email: string) =>
      inService(async (service) => {
        const user = await service.get(AccountAdministration).find(email);
        await service.get(AdministratorsService).demote(user, MAY_BE_LAST);
        print({ email: user.email, administrator: false });
      }),
    );
}
