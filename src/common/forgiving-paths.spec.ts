import type { Request, Response } from 'express';
import { forgivingPaths } from './forgiving-paths.js';

function tidied(url: string): string {
  const request = { url } as Request;
  let error: unknown;
  forgivingPaths(request, {} as Response, (fault?: unknown) => (error = fault));
  if (error instanceof Error) throw error;
  return request.url;
}

describe('A forgiving path', () => {
  it.each([
    ['/api', '/api'],
    ['/api/', '/api'],
    ['/api.json', '/api'],
    ['/api.json/', '/api'],
    ['//api//v2///version', '/api/v2/version'],
    ['/api/v2/version.json/', '/api/v2/version'],
    ['/api/v2/pushes.json?page=1', '/api/v2/pushes?page=1'],
    ['/api/v2/pushes/?passphrase=a//b.json/', '/api/v2/pushes?passphrase=a//b.json/'],
    ['/api/v2/pushes?a?b//c', '/api/v2/pushes?a?b//c'],
  ])('reads %s as %s', (url, tidy) => {
    expect(tidied(url)).toBe(tidy);
  });

  it.each(['/', '/apis/', '/apix.json', '/p/token//', '/nothing.json', '*'])('leaves %s alone', (url) => {
    expect(tidied(url)).toBe(url);
  });

  it.each(['/api/%', '/%zz', '/api/v2/pushes/%C3%28'])('refuses %s', (url) => {
    expect(() => tidied(url)).toThrow('The address is not well-formed.');
  });

  it('is read in no time, however many slashes it has (I5)', () => {
    const startedAt = performance.now();
    tidied(`/api${'/'.repeat(16_000)}x${'.json'.repeat(3000)}`);

    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
