const BYTES = 32;
/** The last character encodes four bits, so there are only 16 of it: no two texts are the same key. */
const BASE64URL = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

export type Bytes = Uint8Array<ArrayBuffer>;

/** 32 random bytes as base64url: 43 characters. */
export function newKey(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(BYTES)));
}

export function isKey(text: string): boolean {
  return BASE64URL.test(text);
}

export function toBase64url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The bytes of a text that `isKey` accepts. */
export function bytesOfKey(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
