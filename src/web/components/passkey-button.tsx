import { useSite, useTexts } from './site.js';

interface PasskeyButtonProps {
  /** The path that a script gets the request for the browser from. */
  from: string;
  label: string;
  /** Whether a new passkey is made. */
  isNew?: boolean;
  isPrimary?: boolean;
}

/**
 * A button that asks the browser for a passkey, and sends the form that it is in with the answer. It needs a script, and
 * has its place before that has come, so that nothing moves.
 */
export function PasskeyButton({ from, label, isNew, isPrimary = false }: PasskeyButtonProps) {
  const { base } = useSite();
  const t = useTexts();
  return (
    <div class="passkey" data-passkey>
      <input type="hidden" name="passkey" />
      <input type="hidden" name="passkey_state" />
      <button
        type="button"
        class={isPrimary ? undefined : 'secondary'}
        data-from={base + from}
        data-new={isNew ? '' : undefined}
      >
        {label}
      </button>
      <p class="failed" role="alert" data-failed={t.text('passkeys.failed')} />
    </div>
  );
}
