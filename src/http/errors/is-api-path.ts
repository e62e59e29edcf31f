/** Whether a path belongs to the API, which responds in JSON; all other paths are web pages. */
export function isApiPath(path: string): boolean {
  return /^\/(api|files|up|ready)(\/|$)/.test(path) || /^\/[pfr](\/.*)?\.json$/.test(path);
}
