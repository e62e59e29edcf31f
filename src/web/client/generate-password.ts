/** Without those that are easily mistaken for each other. */
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-_.+!?';
const LENGTH = 20;

/** Offers to make up a password of some 119 random bits. It leaves the browser only as the secret that is sent. */
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

/** Every number is as likely as any other: draws that would favour some are thrown away. */
function randomBelow(bound: number): number {
  const most = 256 - (256 % bound);
  for (;;) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < most) return byte % bound;
  }
}
