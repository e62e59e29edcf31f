/** What a tab has done with a link: `sent` until a response has arrived, `last` if that used the last view. */
const OPENINGS = ['sent', 'opened', 'last', 'deleted'] as const;

export type Opening = (typeof OPENINGS)[number];

/** What the tab remembers of a link, by a digest of it. It contains no secret, and nothing that leads to one. */
export class OpenedLink {
  private readonly key: string;

  constructor(digest: string) {
    this.key = `opened:${digest}`;
  }

  recall(): Opening | undefined {
    try {
      const stored = sessionStorage.getItem(this.key);
      return OPENINGS.find((opening) => opening === stored);
    } catch {
      return undefined;
    }
  }

  /** Returns false where the browser forbids the storage. */
  remember(opening: Opening | undefined): boolean {
    try {
      if (opening === undefined) sessionStorage.removeItem(this.key);
      else sessionStorage.setItem(this.key, opening);
      return true;
    } catch {
      return false;
    }
  }
}

/** That the key of a link was sent to the server stays true when the address is right again. */
export function rememberAsRepaired(digest: string): void {
  try {
    sessionStorage.setItem(`repaired:${digest}`, 'yes');
  } catch {
    // the browser forbids the storage: this page says so, the next one does not
  }
}

export function isKnownAsRepaired(digest: string): boolean {
  try {
    return sessionStorage.getItem(`repaired:${digest}`) !== null;
  } catch {
    return false;
  }
}
