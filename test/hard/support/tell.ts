/** Logs what was measured on a single line, in whole numbers, so that failures stay in sight. */
export function tell(figures: Record<string, unknown>): void {
  console.log(
    JSON.stringify(figures, (_, value: unknown) => (typeof value === 'number' ? Math.round(value) : value)),
  );
}
