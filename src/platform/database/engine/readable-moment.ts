/**
 * 1970 for a date of a damaged row that is none, so that a push that should end on it has ended. A date without a value
 * would limit nothing, and could not be shown.
 */
export function readableMoment<Value>(moment: Value): Value | Date {
  return moment instanceof Date && Number.isNaN(moment.getTime()) ? new Date(0) : moment;
}

/** Whether a date was read from a damaged row, in place of one that is not known any more. */
export function wasUnreadable(moment: Date): boolean {
  return moment.getTime() === 0;
}
