/** Logs measurements on a single line, in whole numbers, so that the output stays short and failures visible. */
export function logFigures(figures: Record<string, unknown>): void {
  console.log(
    JSON.stringify(figures, (_, value: unknown) => (typeof value === 'number' ? Math.round(value) : value)),
  );
}
