const SHOWN_FOR_MS = 60_000;

/** Hides a secret again some time after it was shown. */
export function hideSecretsAgain(root: ParentNode): void {
  for (const details of root.querySelectorAll<HTMLDetailsElement>('details[data-secret]')) {
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
