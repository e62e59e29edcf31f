/**
 * Removes the path of PUBLIC_URL from the beginning of a request's URL: `/push//p/TOKEN` becomes `/p/TOKEN`. A URL that
 * does not begin with it is left as it is, because the proxy may have removed it. The two cannot be confused: no path of
 * ours begins as PUBLIC_URL's may (settings/parse-public-url.ts).
 */
export function basePathRemover(basePath: string): (url: string) => string {
  if (basePath === '') return (url) => url;
  const beginning = new RegExp(`^${basePath.replaceAll('.', '\\.').replaceAll('/', '/+')}(?=[/?]|$)/*`);
  return (url) => url.replace(beginning, '/');
}
