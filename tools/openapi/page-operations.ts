import type { OperationFacts } from './operation.js';
import { page } from './operation.js';

const of = { tag: 'pages', token: 'ignored', isPage: true } as const;

/** The pages that API clients use, and the redirects to pages, by method and path. */
export const PAGE_OPERATIONS: Record<string, OperationFacts> = {
  'get /p/{url_token}/preview': preview('showPreview'),
  'get /p/{url_token}/r/preview': preview('showPreviewStep'),
  ...redirectsOfLinks('redirectFile', '/f/{url_token}'),
  ...redirectsOfLinks('redirectUrl', '/r/{url_token}'),
  ...redirectsOfLinks('redirectWithLocale', '/{locale}/p/{url_token}'),
  ...redirectsOfLinks('redirectFileWithLocale', '/{locale}/f/{url_token}'),
  ...redirectsOfLinks('redirectUrlWithLocale', '/{locale}/r/{url_token}'),
  'get /api_tokens': redirect('redirectToTokens', '/users/token', [400]),
  'get /help/api': redirect('redirectToDocumentation', '/api/docs', [400]),
};

function preview(id: string): OperationFacts {
  return {
    ...of,
    id,
    description: 'The QR code is `<svg id="qrcode">`. No view is counted. An ended or unknown push is a 404.',
    success: { 200: page('The link and its QR code') },
    refusals: [400, 404],
  };
}

/** With and without the confirmation step. */
function redirectsOfLinks(id: string, path: string): Record<string, OperationFacts> {
  return {
    [`get ${path}`]: redirect(id, '/p/{url_token}', [400, 404]),
    [`get ${path}/r`]: redirect(`${id}Step`, '/p/{url_token}', [400, 404]),
  };
}

function redirect(id: string, target: string, refusals: OperationFacts['refusals']): OperationFacts {
  const Location = { description: `\`${target}\`, below the path of PUBLIC_URL`, schema: { type: 'string' } };
  return {
    ...of,
    id,
    success: { 303: { description: `Redirects to \`${target}\``, headers: { Location } } },
    refusals,
    neverFails: true, // without a session cookie, which API clients do not have
  };
}
