import { passwordError } from '../../auth/passwords/passwords.js';
import { apiText } from '../../platform/errors/problem.js';
import { declareCrossChecks, setTogether } from '../../platform/settings/cross-checks.js';
import { email, line } from '../../platform/settings/parsers.js';
import { Setting } from '../../platform/settings/setting.js';

export class SetupSettings {
  // Accounts

  /**
   * Email address of an administrator, who is created at the start if there is no administrator and no account with it:
   * [more](operating/accounts.md#the-first-administrator).
   */
  @Setting(email) ADMIN_EMAIL?: string;
  /**
   * Password of that administrator, 10 to 128 characters; best in a file that `ADMIN_PASSWORD_FILE` names. An
   * existing account is not changed.
   */
  @Setting(line(128)) ADMIN_PASSWORD?: string;
}

declareCrossChecks(SetupSettings, [
  setTogether('ADMIN_EMAIL', 'ADMIN_PASSWORD'),
  {
    among: ['ADMIN_PASSWORD'],
    fault: ({ ADMIN_EMAIL: address, ADMIN_PASSWORD: password }) => {
      const problem = password !== undefined && passwordError(password, address?.toLowerCase());
      return problem && apiText(problem);
    },
  },
]);
