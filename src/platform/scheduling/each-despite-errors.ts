/**
 * Does something to each of them in turn, also after one has failed; then throws the first error. A job that stops at an
 * error would stop at the same place each time, and those behind it would never have their turn.
 */
export async function eachDespiteErrors<T>(
  all: Iterable<T>,
  act: (one: T) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const one of all) {
    try {
      await act(one);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
