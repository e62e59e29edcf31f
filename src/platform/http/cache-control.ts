/**
 * The Cache-Control of every response that may not be kept: caches keep nothing of it, and proxies change nothing in it
 * (RFC 9111, 5.2.2.5 and 5.2.2.6). Without `no-transform`, Cloudflare replaces what looks like an email address in a page, also in a secret.
 */
export const NOT_KEPT = 'no-store, no-transform';
