/** OWASP's Password Storage Cheat Sheet: argon2id (the library's default), 19 MiB, two passes, one lane. */
export const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
