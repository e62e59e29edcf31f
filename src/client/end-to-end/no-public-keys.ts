// Replaces, in the bundle, what age-encryption imports for files that are encrypted for public keys: three quarters of it.
export const [x25519, p256, MLKEM768P256, MLKEM768X25519] = Array<undefined>(4);
