import { pushFields } from './push-fields.js';

describe('A list in the query of a request', () => {
  it.each(['push[x][]=a', 'push[x]=a', 'push%5Bx%5D%5B%5D=a'])(
    'is a list, however long it is: %s',
    (pair) => {
      for (const count of [20, 21, 51, 700]) {
        const query = Array(count).fill(pair).join('&');
        expect(pushFields({}, `/api/v2/pushes?${query}`, { key: 'push' }).x).toEqual(Array(count).fill('a'));
      }
    },
  );

  it('may have numbers, of which a large one makes no long list', () => {
    const numbered = Array.from({ length: 30 }, (_, i) => `push[x][${i}]=${i}`).join('&');
    const fields = (query: string) => pushFields({}, `/api/v2/pushes?${query}`, { key: 'push' });

    expect(fields(numbered).x).toEqual(Array.from({ length: 30 }, (_, i) => String(i)));
    expect(fields('push[x][999]=a').x).toEqual(['a']);
    expect(fields('push[x][4294967290]=a').x).toEqual({ 4294967290: 'a' });
  });
});
