import type { EnteredFields } from './home.js';
import { useSite } from './site.js';

/** The hidden fields of the form: what it was shown with, and what it keeps for a visitor who signs in again. */
export function HiddenFields({ fields, typed }: { fields: EnteredFields; typed: EnteredFields }) {
  const { email } = useSite();
  const { passphrase_was_set, account_before, name, note } = typed;
  const notify_on = account_before && typed.notify_on; // the choice of an account, which nobody else may send
  const ofOwner = email === undefined && { name, note, notify_on };
  const kept = { ...fields, passphrase_was_set, account_before, ...ofOwner };
  return (
    <>
      {Object.entries(kept).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={`push[${name}]`} value={value} />,
      )}
    </>
  );
}
