/** Messages about the form that creates pushes, by which the page finds what to say about them. */
export const OWNER_CHANGED = 'Your account has changed since this form was shown. No push was created.';
export const NOT_ENCRYPTED = 'Secrets must be encrypted in the browser here. No push was created.';
