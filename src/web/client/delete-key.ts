const NAME = 'sealpush.delete-key';
const FRAGMENT = /^#delete=([\w-]{43})$/;

/**
 * Takes the delete key out of the address of the next page, because browsers list visited addresses, and copy that list
 * to other devices. Until that page has been loaded, the session storage has the key; if it is forbidden, the address.
 */
export function takeKeyOutOf(next: URL): void {
  const { pathname, hash } = next;
  if (hash === '') return;
  try {
    sessionStorage.setItem(NAME, JSON.stringify([pathname, hash]));
    next.hash = '';
  } catch {
    // the next page takes it out of its address
  }
}

/** The delete key of this page. It stays with this page in the history of the tab: a reload or going back keeps it. */
export function deleteKeyOfPage(): string | undefined {
  const key = FRAGMENT.exec(handedOver() ?? location.hash)?.[1] ?? keptKey();
  if (key !== undefined) history.replaceState({ deleteKey: key }, '', location.pathname + location.search);
  return key;
}

function handedOver(): string | undefined {
  try {
    const [pathname, hash] = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as string[];
    sessionStorage.removeItem(NAME);
    return pathname === location.pathname ? hash : undefined;
  } catch {
    return undefined;
  }
}

function keptKey(): string | undefined {
  return (history.state as { deleteKey?: string } | null)?.deleteKey;
}
