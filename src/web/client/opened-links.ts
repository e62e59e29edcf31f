/** What this tab has done with a link: `sent` until an answer has arrived. */
export type Opening = 'sent' | 'opened';

/** What the tab remembers of a link, by a digest of it. It holds no secret, and nothing that leads to one. */
export class OpenedLink {
  private readonly key: string;

  constructor(digest: string) {
    this.key = `opened:${digest}`;
  }

  recall(): Opening | undefined {
    try {
      const stored = sessionStorage.getItem(this.key);
      return stored === 'sent' || stored === 'opened' ? stored : undefined;
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
