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

declareCrossChecks(SetupSettings, {
  ADMIN_EMAIL: setTogether('ADMIN_PASSWORD'),
  ADMIN_PASSWORD: (settings) => {
    const { ADMIN_PASSWORD: password } = settings;
    if (password === undefined) return false;
    const problem = passwordError(password) ?? passwordError(password, settings.ADMIN_EMAIL?.toLowerCase());
    return problem && apiText(problem);
  },
});
