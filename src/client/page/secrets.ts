const SHOWN_FOR_MS = 60_000;

/** Hides a secret again some time after it was shown. */
export function hideSecretsAgain(root: ParentNode): void {
  for (const details of secretsIn(root)) {
    let timer: number | undefined;
    details.addEventListener('toggle', () => {
      clearTimeout(timer);
      if (details.open) {
        timer = setTimeout(() => {
          details.open = false;
        }, SHOWN_FOR_MS);
      }
    });
  }
}

export function hideSecrets(root: ParentNode): void {
  for (const details of secretsIn(root)) details.open = false;
}

function secretsIn(root: ParentNode): NodeListOf<HTMLDetailsElement> {
  return root.querySelectorAll<HTMLDetailsElement>('details[data-secret]');
}
