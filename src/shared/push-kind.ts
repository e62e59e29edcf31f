export const PUSH_KINDS = ['text', 'file', 'url', 'qr'] as const;

export type PushKind = (typeof PUSH_KINDS)[number];
