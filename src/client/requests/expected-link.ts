const NAME = 'sealpush.asked';

/** Leaves what the link of a new request must end with to the page that shows it. */
export function expectLinkFor(fragment: string): void {
  try {
    sessionStorage.setItem(NAME, fragment);
  } catch {
    // not allowed: then only whoever answers can notice that the recipient was replaced later
  }
}

/** What the page before has left, if this is the first page after it. */
export function takeExpectedFragment(): string | undefined {
  try {
    const fragment = sessionStorage.getItem(NAME) ?? undefined;
    sessionStorage.removeItem(NAME);
    return fragment;
  } catch {
    return undefined;
  }
}
