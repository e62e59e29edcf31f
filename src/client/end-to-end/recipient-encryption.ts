// A script of its own, which pages load when they need it: see load.ts.
export * from '../../../packages/client/src/end-to-end/recipient-encryption.js';
