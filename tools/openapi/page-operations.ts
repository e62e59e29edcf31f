import type { OperationFacts } from './operation.js';
import { redirect, shared } from './responses.js';

const of = { tag: 'pages', token: 'ignored', isPage: true } as const;
const redirects = { ...of, neverFails: true } as const; // without a session cookie, which API clients do not have

/** The pages that API clients use, and the redirects to pages, by method and path. */
export const PAGE_OPERATIONS: Record<string, OperationFacts> = {
  'get /p/{url_token}/preview': preview('showPreview'),
  'get /p/{url_token}/r/preview': preview('showPreviewStep'),
  'get /{kind_prefix}/{url_token}': redirectOfLink('redirectLink'),
  'get /{kind_prefix}/{url_token}/r': redirectOfLink('redirectLinkStep'),
  'get /{locale}/{prefix}/{url_token}': redirectOfLink('redirectLinkWithLocale'),
  'get /{locale}/{prefix}/{url_token}/r': redirectOfLink('redirectLinkWithLocaleStep'),
  'get /api_tokens': {
    ...redirects,
    id: 'redirectToTokens',
    description: 'For links of clients that know this path from other servers.',
    success: { 303: redirect('/users/token') },
    refusals: [400],
  },
  'get /help/api': {
    ...redirects,
    id: 'redirectToDocumentation',
    description: 'For links of clients that know this path from other servers.',
    success: { 303: redirect('/api/docs') },
    refusals: [400],
  },
};

function preview(id: string): OperationFacts {
  return {
    ...of,
    id,
    description: 'The QR code is `<svg id="qrcode">`. No view is counted. An ended or unknown push is a 404.',
    success: { 200: shared('PreviewPage') },
    refusals: [400, 404],
  };
}

function redirectOfLink(id: string): OperationFacts {
  return {
    ...redirects,
    id,
    description: 'A 404 means that no push can have this `url_token`; whether one has it is not checked.',
    success: { 303: shared('RedirectToPush') },
    refusals: [400, 404],
  };
}
