/** Whether a path is for programs, which are answered in JSON; all others are for people. */
export function isApiPath(path: string): boolean {
  return /^\/(api|files|up|ready)(\/|$)/.test(path) || /^\/[pfr](\/.*)?\.json$/.test(path);
}
