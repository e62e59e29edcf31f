import type { Command } from 'commander';
import { OrphanSweep } from '../../files/orphan-sweep.js';
import { StoreIdentity } from '../../files/store-identity.js';
import type { CommandContext } from '../../platform/cli/command-context.js';

interface Options {
  yes?: boolean;
}

/** The commands for the file store as a whole. */
export function addFileCommands(
  program: Command,
  { inService, print, setFailed, warn }: CommandContext,
): void {
  program
    .command('files:adopt')
    .option('--yes', 'also if they belong to another installation, or the database does not know all of them')
    .description('make the stored files those of this database')
    .action(({ yes = false }: Options) =>
      inService(async (service) => {
        const identity = service.get(StoreIdentity, { strict: false });
        const owner = await identity.owner();
        const content = await identity.content();
        const unknown = content.files - content.known;
        const adopted = owner === 'this' || yes || (owner === 'none' && unknown === 0);
        if (adopted && owner !== 'this') await identity.adopt();
        print({ store: identity.store.place, belonged_to: owner, ...content, adopted });
        if (adopted) return;
        const reason =
          owner === 'another'
            ? `The files belong to another installation, and this database knows ${content.known} of ${content.files}`
            : `This database does not know ${unknown} of ${content.files} files`;
        warn(`${reason}. If it is the right database nevertheless, run files:adopt --yes.`);
        setFailed();
      }),
    );

  program
    .command('files:sweep')
    .option('--yes', 'remove them; without it nothing is removed')
    .description('count the stored files that the database does not know, or remove all of them')
    .action(({ yes = false }: Options) =>
      inService(async (service) => {
        const sweep = service.get(OrphanSweep, { strict: false });
        print(yes ? await sweep.removeAll() : await sweep.report());
      }),
    );
}
