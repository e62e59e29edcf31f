import { Initial1764700000000 } from './1764700000000-initial.js';
import { WhoAndWhichFile1764800000000 } from './1764800000000-who-and-which-file.js';
import { LimitedTokens1764900000000 } from './1764900000000-limited-tokens.js';
import { SecondFactors1765000000000 } from './1765000000000-second-factors.js';
import { SignedInBrowsers1765200000000 } from './1765200000000-signed-in-browsers.js';
import { Identities1765300000000 } from './1765300000000-identities.js';
import { Imports1765400000000 } from './1765400000000-imports.js';
import { Requests1765500000000 } from './1765500000000-requests.js';
import { HowLong1765600000000 } from './1765600000000-how-long.js';
import { Recipients1765700000000 } from './1765700000000-recipients.js';
import { AccountGroups1765800000000 } from './1765800000000-account-groups.js';
import { Installation1766000000000 } from './1766000000000-installation.js';
import { EndedSignIns1766300000000 } from './1766300000000-ended-sign-ins.js';
import { EnteredAddresses1766500000000 } from './1766500000000-entered-addresses.js';
import { WrongCodes1766600000000 } from './1766600000000-wrong-codes.js';
import { SaidReasons1766700000000 } from './1766700000000-said-reasons.js';

/** All migrations, in the order in which they run. */
export const migrations = [
  Initial1764700000000,
  WhoAndWhichFile1764800000000,
  LimitedTokens1764900000000,
  SecondFactors1765000000000,
  SignedInBrowsers1765200000000,
  Identities1765300000000,
  Imports1765400000000,
  Requests1765500000000,
  HowLong1765600000000,
  Recipients1765700000000,
  AccountGroups1765800000000,
  Installation1766000000000,
  EndedSignIns1766300000000,
  EnteredAddresses1766500000000,
  WrongCodes1766600000000,
  SaidReasons1766700000000,
];
