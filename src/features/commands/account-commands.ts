import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { AccountError, EmailTaken } from '../../auth/errors/account-error.js';
import { IdentityRemoval } from '../../auth/users/identity-removal.js';
import { SecondFactorsService } from '../../auth/second-factor/second-factors.service.js';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import type { ApiToken } from '../../auth/entities/api-token.entity.js';
import { TOKEN_SCOPES, tokenNameError } from '../../auth/entities/api-token.entity.js';
import type { NewToken } from '../../auth/tokens/tokens.service.js';
import { TokensService } from '../../auth/tokens/tokens.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UsersService } from '../../auth/users/users.service.js';
import { newToken } from '../../platform/random/random.js';
import { AccountRemovalService } from '../../pushes/account-removal/account-removal.service.js';
import { addAdministratorCommands, MAY_BE_LAST } from './administrator-commands.js';
import type { CommandContext } from '../../platform/cli/command-context.js';
import { apiText, declareProblems } from '../../platform/errors/problem.js';

const CommandProblem = declareProblems({
  email_taken_use_token_create: [
    'There is an account with this email address already. The command token:create makes another API token for it.',
    null,
  ],
  token_unknown: ['This account has no API token with this id.', null],
});

interface UserOptions {
  passwordStdin?: boolean;
  administrator?: boolean;
}

/** The commands for accounts and their API tokens. */
export function addAccountCommands(program: Command, context: CommandContext): void {
  addUserCommands(program, context);
  addAdministratorCommands(program, context);
  addTokenCommands(program, context);
}

function addUserCommands(program: Command, { inService, print, readPassword }: CommandContext): void {
  program
    .command('user:create')
    .argument('<email>')
    .option(
      '--password-stdin',
      'read a password for the web pages from standard input; without one the account is for the API only',
    )
    .option('--administrator', 'let the account manage the accounts of others on the pages')
    .description('create an account with an API token, which is printed only this once')
    .action((email: string, { passwordStdin, administrator }: UserOptions) =>
      inService(async (service) => {
        const password = passwordStdin ? await readPassword() : undefined;
        const { user, token } = await service
          .get(UsersService)
          .createWithToken(email, password, 'first token', { administrator })
          .catch(nameTheOtherCommand);
        print({ email: user.email, token });
      }),
    );

  program
    .command('user:list')
    .description('print the accounts, the oldest first')
    .action(() =>
      inService(async (service) => {
        for await (const user of service.get(AccountAdministration).all()) print(described(user));
      }),
    );

  program
    .command('user:delete')
    .argument('<email>')
    .description('delete an account with its pushes, files and API tokens; this cannot be undone')
    .action((email: string) =>
      inService(async (service) => {
        const user = await service.get(AccountAdministration).find(email);
        await service.get(AccountRemovalService).remove(user, MAY_BE_LAST);
        print({ email: user.email, deleted: true });
      }),
    );

  program
    .command('user:password')
    .argument('<email>')
    .option('--password-stdin', 'read the password from standard input; without this option one is generated')
    .description(
      'set the password of an account and sign it out everywhere; a generated password is printed only this once',
    )
    .action((email: string, { passwordStdin }: { passwordStdin?: boolean }) =>
      inService(async (service) => {
        const administration = service.get(AccountAdministration);
        const user = await administration.find(email);
        const password = passwordStdin ? await readPassword() : newToken();
        await administration.setPassword(user, password);
        print({ email: user.email, ...(!passwordStdin && { password }) });
      }),
    );

  program
    .command('user:reset-second-factor')
    .argument('<email>')
    .description('remove the second factor of an account whose owner has lost it, and sign it out everywhere')
    .action((email: string) =>
      inService(async (service) => {
        const user = await service.get(AccountAdministration).find(email);
        await service.get(SecondFactorsService).reset(user);
        print({ email: user.email, second_factor: false });
      }),
    );

  program
    .command('user:unlink-identity')
    .argument('<email>')
    .description('unlink an account from its owner at the sign-in provider, and sign it out everywhere')
    .action((email: string) =>
      inService(async (service) => {
        const user = await service.get(AccountAdministration).find(email);
        await service.get(IdentityRemoval).unlink(user);
        print({ email: user.email, signs_in_at_provider: false });
      }),
    );

  program
    .command('user:disable')
    .argument('<email>')
    .description('prevent an account from signing in and from using its API tokens; its pushes are kept')
    .action((email: string) =>
      inService(async (service) => {
        const administration = service.get(AccountAdministration);
        const user = await administration.find(email);
        await administration.disable(user, MAY_BE_LAST);
        print({ email: user.email, disabled: true });
      }),
    );

  program
    .command('user:enable')
    .argument('<email>')
    .description('undo user:disable')
    .action((email: string) =>
      inService(async (service) => {
        const administration = service.get(AccountAdministration);
        const user = await administration.find(email);
        await administration.enable(user);
        print({ email: user.email, disabled: false });
      }),
    );
}

function addTokenCommands(program: Command, { inService, print }: CommandContext): void {
  program
    .command('token:create')
    .argument('<email>')
    .option('--name <name>', 'what the token is for', tokenName, 'API token')
    .addOption(
      new Option('--scope <scope>', 'what it may be used for').choices(TOKEN_SCOPES).default('everything'),
    )
    .option('--days <days>', 'after how many days it ends', tokenDays)
    .option('--existing', 'also for an account that was created by signing up')
    .description('create another API token for an account, which is printed only this once')
    .action((email: string, { existing = false, ...chosen }: NewToken & { existing?: boolean }) =>
      inService(async (service) => {
        const user = await service.get(AccountAdministration).findWithKnownOwner(email, existing);
        const token = await service.get(TokensService).create(user, chosen);
        print({ email: user.email, token });
      }),
    );

  program
    .command('token:list')
    .argument('<email>')
    .description('print the API tokens of an account, the newest first, without the tokens themselves')
    .action((email: string) =>
      inService(async (service) => {
        const user = await service.get(AccountAdministration).find(email);
        for await (const token of service.get(TokensService).listOf(user)) print(describedToken(token));
      }),
    );

  program
    .command('token:revoke')
    .argument('<email>')
    .argument('<id>', 'as token:list prints it')
    .description('revoke an API token')
    .action((email: string, id: string) =>
      inService(async (service) => {
        const user = await service.get(AccountAdministration).find(email);
        const isRevoked = await service.get(TokensService).revoke(user, id);
        if (!isRevoked) throw new AccountError(new CommandProblem('token_unknown'));
        print({ id, revoked: true });
      }),
    );
}

function nameTheOtherCommand(error: unknown): never {
  if (error instanceof EmailTaken) throw new AccountError(new CommandProblem('email_taken_use_token_create'));
  throw error;
}

function tokenName(name: string): string {
  const error = tokenNameError(name);
  if (error) throw new InvalidArgumentError(`It ${apiText(error)}.`);
  return name;
}

function tokenDays(days: string): number {
  if (!/^[1-9]\d{0,4}$/.test(days))
    throw new InvalidArgumentError('It must be a whole number from 1 to 99999.');
  return Number(days);
}

function described({
  email,
  createdAt,
  emailUnverified,
  passwordHash,
  hasSecondFactor,
  providerSignInAt,
  administrator,
  disabledAt,
}: User): object {
  return {
    email,
    created_at: createdAt,
    signed_up: emailUnverified,
    has_password: passwordHash !== null,
    second_factor: hasSecondFactor,
    signs_in_at_provider: providerSignInAt !== null,
    administrator,
    disabled_at: disabledAt,
  };
}

function describedToken({ id, name, prefix, scope, createdAt, endsAt, lastUsedAt }: ApiToken): object {
  return { id, name, prefix, scope, created_at: createdAt, ends_at: endsAt, last_used_at: lastUsedAt };
}
