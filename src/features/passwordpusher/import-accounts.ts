import { AccountError } from '../../auth/errors/account-error.js';
import { User } from '../../auth/entities/user.entity.js';
import { emailError } from '../../auth/entities/emails.js';
import { isAcceptableBcrypt } from '../../auth/passwords/password-hashes.js';
import { isSecret } from '../../auth/second-factor/authenticator-apps.js';
import type { ImportedFactor } from '../../auth/second-factor/second-factors.service.js';
import type { AccountToImport } from '../../auth/import/imported-accounts.service.js';
import { languageOfTag } from '../../texts/languages.js';
import type { ImportRun } from './import-run.js';
import type { SourceUser } from './source/source-entities.js';
import { UnknownKey } from './source/lockbox.js';

const TOKEN_NAME = 'PasswordPusher';
/** Of a column of our tables. */
const MAX_INTEGER = 2 ** 31 - 1;

/** Who owns the pushes of an account there. */
export type Owner = { userId: string } | 'refused' | 'deleted';

/** Why an account is not imported. */
class RefusedAccount extends Error {}

/** Imports all accounts, and returns who owns their pushes, by their numbers there. */
export async function importAccounts(run: ImportRun): Promise<Map<number, Owner>> {
  const owners = new Map<number, Owner>();
  const numbers = new Map<string, number>();
  const areMailsSent = await run.source.hasConfirmedUsers();
  for await (const users of run.source.users()) {
    for (const user of users) {
      const email = User.normalizeEmail(user.email);
      try {
        const other = numbers.get(email);
        if (other !== undefined) throw new RefusedAccount(`its email address is that of account ${other}`);
        numbers.set(email, user.id);
        owners.set(user.id, await importAccount(run, user, areMailsSent));
      } catch (error) {
        const isRefused = error instanceof RefusedAccount || error instanceof AccountError;
        if (!isRefused) throw error;
        owners.set(user.id, 'refused');
        run.report.refuseAccount(user.id, error.message);
      }
    }
  }
  return owners;
}

async function importAccount(run: ImportRun, user: SourceUser, areMailsSent: boolean): Promise<Owner> {
  const { target, report, options } = run;
  const imported = await target.findImported(user.email);
  if (imported) {
    report.accounts.already += 1;
    return imported.exists ? { userId: imported.userId } : 'deleted';
  }
  const existing = await target.findUser(user.email);
  const isSamePerson = areMailsSent && user.confirmedAt !== null && existing?.emailUnverified === false;
  if (existing && !isSamePerson && !options.joinedAddresses.has(existing.email))
    throw new RefusedAccount(
      'an account here has its email address, which was not verified in both places: name it in --existing to join them',
    );
  const account = await accountOf(run, user, areMailsSent);
  const userId = await target.addAccount(account, existing, options.now);
  count(run, user, account, existing !== undefined);
  return { userId };
}

function count({ report }: ImportRun, user: SourceUser, account: AccountToImport, isJoined: boolean): void {
  report.accounts[isJoined ? 'joined' : 'new'] += 1;
  if (account.token) report.tokens += 1;
  if (isJoined && user.admin === true) report.leftBehind.rights += 1;
  if (isJoined) return; // it keeps its password and second factor
  if (account.secondFactor) report.secondFactors += 1;
  report.recoveryCodes += account.secondFactor?.recoveryCodes?.digests.length ?? 0;
  if (account.secondFactor && !account.secondFactor.recoveryCodes && user.otpBackupCodeDigests)
    report.leftBehind.accountsWithoutRecoveryCodes += 1;
  if (account.passwordHash === null && user.encryptedPassword !== '') report.leftBehind.passwords += 1;
  if (user.lockedAt) report.leftBehind.locks += 1;
}

async function accountOf(run: ImportRun, user: SourceUser, areMailsSent: boolean): Promise<AccountToImport> {
  const problem = emailError(user.email);
  if (problem) throw new AccountError(problem); // also when nothing is written
  const { email, encryptedPassword, authenticationToken, preferredLanguage } = user;
  return {
    email,
    passwordHash: isAcceptableBcrypt(encryptedPassword) ? encryptedPassword : null,
    emailUnverified: areMailsSent && user.confirmedAt === null,
    administrator: user.admin ?? false,
    language: languageOfTag(preferredLanguage ?? '') ?? null,
    createdAt: user.createdAt ?? run.options.now,
    ...(authenticationToken && { token: { token: authenticationToken, name: TOKEN_NAME } }),
    ...(user.otpRequiredForLogin === true && { secondFactor: await factorOf(run, user) }),
  };
}

/** Without its second factor an account would be less protected than it was, so it is refused. */
async function factorOf({ keys, options }: ImportRun, user: SourceUser): Promise<ImportedFactor> {
  const secret = decryptSecret();
  if (!(await isSecret(secret))) throw new RefusedAccount('its second factor is none that can be used here');
  return {
    secret,
    lastStep: Math.min(user.lastOtpTimestep ?? 0, MAX_INTEGER),
    recoveryCodes:
      options.secretKeyBase === undefined
        ? undefined
        : {
            digests: recoveryDigests(user.otpBackupCodeDigests),
            prefix: `${user.id}:`,
            key: options.secretKeyBase.toString('hex'),
          },
  };

  function decryptSecret(): string {
    try {
      return keys.decrypt('users', 'otp_secret_ciphertext', user.otpSecretCiphertext);
    } catch (error) {
      throw error instanceof UnknownKey ? new RefusedAccount('no key opens its second factor') : error;
    }
  }
}

function recoveryDigests(json: string | null): string[] {
  try {
    const digests: unknown = JSON.parse(json ?? '[]');
    const isDigest = (digest: unknown) => typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest);
    return Array.isArray(digests) ? [...new Set((digests as string[]).filter(isDigest))] : [];
  } catch {
    return [];
  }
}
