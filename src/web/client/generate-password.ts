/** Without characters that are easily confused with each other. */
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-_.+!?';
const LENGTH = 20;

/** Offers to generate a password of some 119 random bits. It leaves the browser only as the secret that is sent. */
export function offerPasswords(form: HTMLFormElement): void {
  const payload = form.querySelector<HTMLTextAreaElement>('#payload');
  form.querySelector('[data-generate]')?.addEventListener('click', () => {
    if (payload) payload.value = newPassword();
    payload?.focus();
  });
}

function newPassword(): string {
  return Array.from({ length: LENGTH }, () => CHARACTERS.charAt(randomBelow(CHARACTERS.length))).join('');
}

/** Uniformly distributed: random bytes that would favour some numbers are discarded. */
function randomBelow(bound: number): number {
  const limit = 256 - (256 % bound);
  for (;;) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < limit) return byte % bound;
  }
}
