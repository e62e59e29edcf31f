import type { TextKey } from '../../texts/text-parameters.js';
import type { ButtonLook } from './button.js';
import { Button } from './button.js';
import { useSite, useTexts, Data, Sentence } from './site.js';

interface PasskeyButtonProps {
  /** The path that a script gets the request for the browser from. */
  from: string;
  label: string;
  /** Whether a new passkey is made. */
  isNew?: boolean;
  /** Whether it is the only way on where it is: where passkeys cannot be used, the reason is said. */
  isPrimary?: boolean;
  look?: ButtonLook;
  size?: 'large';
  /** Whether it is as wide as its column. */
  isWide?: boolean;
  /** What is said when the browser gives no answer. */
  failed?: TextKey;
}

/**
 * A button that asks the browser for a passkey, and sends the form that it is in with the answer. It needs a script, and
 * has its place before that has come, so that nothing moves. Where passkeys cannot work there is none.
 */
export function PasskeyButton({
  from,
  label,
  isNew,
  isPrimary = false,
  look,
  size,
  isWide,
  failed = isNew ? 'passkeys.notAdded' : 'passkeys.failed',
}: PasskeyButtonProps) {
  const { base, passkeyOrigin } = useSite();
  const t = useTexts();
  if (passkeyOrigin === undefined) return null;
  return (
    <div data-passkey data-origin={passkeyOrigin}>
      <input type="hidden" name="passkey" />
      <input type="hidden" name="passkey_state" />
      <Button
        type="button"
        look={look}
        size={size}
        isWide={isWide}
        icon="passkey"
        data-from={base + from}
        data-new={isNew ? '' : undefined}
      >
        {label}
      </Button>
      <p
        class="error"
        role="alert"
        data-failed={t.text(failed)}
        data-existing={isNew && t.text('passkeys.existsHere')}
        data-offline={t.text('passkeys.noConnection')}
      />
      {isPrimary && (
        <p class="hint" hidden data-unavailable>
          <Sentence of="passkeys.notHere" address={<Data>{new URL(passkeyOrigin).host}</Data>} />
        </p>
      )}
    </div>
  );
}
