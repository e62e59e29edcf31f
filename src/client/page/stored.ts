/** A value that this browser keeps; undefined if there is none, or storage is not allowed. */
export function stored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value, or removes it. */
export function store(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // not allowed, or full: then nothing is remembered
  }
}

/** A stored value as a record; empty if it is anything else. */
export function storedRecord(name: string): Record<string, unknown> | undefined {
  const value = stored(name);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
