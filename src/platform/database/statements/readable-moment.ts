/**
 * 1970 for a date of a damaged row that is none: what it limits has then ended. A date without a value would limit
 * nothing, and could not be shown.
 */
export function readableMoment<Value>(moment: Value): Value | Date {
  return moment instanceof Date && Number.isNaN(moment.getTime()) ? new Date(0) : moment;
}
