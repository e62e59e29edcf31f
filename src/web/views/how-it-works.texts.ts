/** The sentences of the page "How it works". docs/security.md says the same in full: change both together. */
export const HOW_IT_WORKS = {
  title: 'How it works',
  lede: 'Who can see what you share here, and when it is deleted.',
  access: {
    title: 'Who can see what',
    entries: [
      [
        'You, the sender',
        'With an account you see your pushes with their names, notes and audit logs, and the secret itself only by opening the link. Without an account there is no list, so keep the link.',
      ],
      [
        'Whoever has the link',
        'The secret, until it expires. The link is all that it takes, unless you set a passphrase: send that another way.',
      ],
      ['Whoever has a download link', 'That one file, for ten minutes, without the link or the passphrase.'],
      [
        'Programs that preview links',
        'Nothing of the secret if they only load the page of the link. That counts no view.',
      ],
      [
        'The operator of this site',
        'This server encrypts secrets and keeps the key. With it, the operator can read links, names and notes, and secrets that have not expired and have no passphrase; a passphrase would have to be guessed. Whoever can change the program can see all later secrets.',
      ],
      [
        'Someone who steals the database',
        'E-mail addresses, network addresses, browsers and referring pages, kinds, limits, times and counts, and the number and sizes of files. No secret, passphrase, name, note, link or file name: these are encrypted or not stored. With the key as well: what the operator can see.',
      ],
      [
        'Someone who steals a backup',
        'The same as from the database, as it was on the day of the backup. What has been deleted since is still in it, and restoring it undoes later views and deletions.',
      ],
    ],
  },
  limits: {
    title: 'Views and expiry',
    paragraphs: [
      'Each time the secret is shown counts as one view. It expires when its views are used up or its time is over, whichever comes first, and then nobody can open it again.',
      'Files of the last view can still be downloaded for ten minutes, unless the push is deleted.',
    ],
    ownerViewsCount: 'Your own views count, too.',
    ownerViewsDoNotCount: 'Your own views do not count while you are signed in.',
  },
  deletion: {
    title: 'What is deleted when',
    paragraphs: [
      'The secret and its key are deleted with the last view or when someone deletes the push, and within about a minute after its time is over. Files are deleted soon after their last download link has ended.',
      'Its limits, times and counts remain for a while. Without an account they are deleted a day after the end.',
    ],
    keptForDays: (days: number) =>
      `With an account they are kept with name, note and audit log for ${days === 1 ? 'a day' : `${days} days`} after the end, or until the account is deleted.`,
    keptForever: 'With an account they are kept with name, note and audit log until the account is deleted.',
  },
  audit: {
    title: 'What is recorded about recipients',
    paragraphs: [
      'Each view, wrong passphrase, first download of a file and deletion is recorded with its time, network address, browser and referring page. Only the account that created the push can read this here; the operator can read it in the database.',
    ],
  },
  site: { title: 'This site', operator: 'Run by', contact: 'Contact', version: 'Sealpush version' },
} as const;
