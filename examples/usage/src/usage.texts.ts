import { declareAuditKinds, declareProblems, declareTexts } from 'sealpush';

/** The keys of the texts; without French, for example, pages in French show the English ones. */
export const USAGE = declareTexts('usage', {
  en: {
    title: 'Usage',
    pushes: 'You have created {count, plural, =0 {nothing} one {# push} other {# pushes}} so far.',
    send: 'Send this to {email}',
    sent: 'The mail is on its way.',
    nothing: 'There is nothing to send yet.',
    mailed: 'Sent the usage to an account',
    total: 'Usage: adding up',
  },
  de: {
    title: 'Nutzung',
    pushes: 'Sie haben bisher {count, plural, =0 {nichts} one {# Push} other {# Pushes}} erstellt.',
    send: 'An {email} senden',
    sent: 'Die E-Mail ist unterwegs.',
    nothing: 'Es gibt noch nichts zu senden.',
    mailed: 'Nutzung an ein Konto gesendet',
    total: 'Nutzung: Summe bilden',
  },
});

/** Each with the message of the API, and the text of pages. */
export const UsageProblem = declareProblems({
  usage_is_zero: ['there is nothing to send yet', USAGE.nothing],
});

/** Each with the text that administrators read. */
export const { usage_mailed: USAGE_MAILED } = declareAuditKinds({ usage_mailed: USAGE.mailed });
