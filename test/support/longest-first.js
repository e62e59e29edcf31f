const { default: Sequencer } = require('@jest/test-sequencer');

/** What takes longest. On a clean clone Jest does not know, and would begin one of them last. */
const LONGEST = [
  'suites/browser',
  'browser/every-page',
  'suites/features',
  'suites/operations',
  'suites/files',
  'suites/api',
  'suites/database',
  'suites/http',
  'suites/web',
  'suites/others',
  'suites/auth',
];

/** Begins with the longest specs, so that no process is left with one of them at the end. */
class LongestFirst extends Sequencer {
  sort(tests) {
    const placeOf = ({ path }) => LONGEST.findIndex((name) => path.includes(`/test/${name}.`));
    const sorted = super.sort(tests);
    const longest = sorted.filter((test) => placeOf(test) >= 0);
    longest.sort((a, b) => placeOf(a) - placeOf(b));
    return [...longest, ...sorted.filter((test) => placeOf(test) < 0)];
  }
}

module.exports = LongestFirst;
