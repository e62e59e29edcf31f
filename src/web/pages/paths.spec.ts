import '../../app.module.js'; // has the pages in menus
import { addPage, localPath, nextPath, pageOfForm, safeListPath } from './paths.js';

const MANAGED_ACCOUNT = '/admin/accounts/018f0000-0000-7000-8000-000000000000';
const AUDIT = `/p/${'a'.repeat(43)}/audit`;

describe('The page of a form', () => {
  it.each([
    ['/users/edit', '/users/edit'],
    ['/users/edit/email', '/users/edit'],
    ['/users/second_factor/passkeys/018f0000/remove', '/users/second_factor'],
    [`${MANAGED_ACCOUNT}/disable`, MANAGED_ACCOUNT],
    ['/admin/webhooks/018f0000/test', '/admin/webhooks'],
    ['/unknown/page', '/pushes'],
    ['//evil.example/users', '/'],
    ['/'.repeat(8000), '/'],
  ])('with the path %.40s is %s', (path, page) => {
    expect(pageOfForm(path)).toBe(page);
  });
});

describe('The page after signing in', () => {
  it.each([
    '/',
    '/?kind=url&views=1',
    '/pushes?q=a%26b&page=2',
    '/users/edit',
    '/users/notices',
    AUDIT,
    `${AUDIT}?page=2`,
    '/admin',
    '/admin/audit?kind=webhook_added',
    MANAGED_ACCOUNT,
    `/users/email/${'a'.repeat(43)}`,
  ])('may be %s', (path) => {
    expect(nextPath(path)).toBe(path);
  });

  it.each([
    undefined,
    ['/'],
    '',
    'users/edit',
    '//evil.example',
    '//evil.example/pushes',
    '/\\evil.example',
    '\\evil.example/?',
    'https://evil.example/?',
    '/?@evil.example'.replace('/?', '/.//'),
    '/.//evil.example/?',
    '/users/sign_out',
    '/users/sign_out?/pushes',
    '/p/x/audit',
    '/pushes/../users/sign_out',
    `/?${'a'.repeat(2000)}`,
    'javascript:alert(1)',
  ])('is the list if %j is asked for (D6)', (path) => {
    expect(nextPath(path)).toBe('/pushes');
  });

  it('keeps no line break that could end the header (E10)', () => {
    expect(nextPath('/?a\r\nSet-Cookie: b=c')).toBe('/?aSet-Cookie:%20b=c');
  });
});

describe('A page with a parameter', () => {
  it.each(['/beds/7', '/beds/018f0000-0000', `/plots/${'a'.repeat(43)}`])('may be %s', (path) => {
    addPage('beds/:id');
    addPage('/plots/:url_token');

    expect(nextPath(path)).toBe(path);
    expect(nextPath('/beds/find')).toBe('/pushes');
  });
});

describe('The list to return to', () => {
  it('is one of the two, with its query', () => {
    expect(safeListPath('/pushes/expired?page=2')).toBe('/pushes/expired?page=2');
    expect(safeListPath('/users/edit')).toBe('/pushes');
    expect(safeListPath('/')).toBe('/pushes');
  });
});

describe('A path to return to', () => {
  it.each(['/', '/pushes?page=2', '/p/abc/audit', '/users/sign_in?next=%2F'])('may be %s', (path) => {
    expect(localPath(path)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'pushes',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '//localhost@evil.example',
    'javascript:alert(1)',
  ])('is replaced by the front page if it is %p', (path) => {
    expect(localPath(path)).toBe('/');
  });

  it('keeps no line break that could end the header', () => {
    expect(localPath('/a\r\nSet-Cookie: b=c')).toBe('/aSet-Cookie:%20b=c');
  });
});
