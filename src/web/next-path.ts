const PATHS = ['/', '/pushes', '/pushes/expired', '/users/edit', '/users/token'];
const AUDIT = /^\/p\/[A-Za-z0-9_-]{22,64}\/audit$/;

/** Where to go after signing in: a page of ours that is asked for, else the list of pushes. Never anywhere else. */
export function nextPath(asked: unknown): string {
  const isOurs = typeof asked === 'string' && (PATHS.includes(asked) || AUDIT.test(asked));
  return isOurs ? asked : '/pushes';
}
