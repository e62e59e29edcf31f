/** All sealing is AES-256-GCM (NIST SP 800-38D), with keys, nonces and tags of these sizes. */
export const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
