import { allSettings } from './settings-classes.js';

type Environment = Record<string, string | undefined>;

const OF_KUBERNETES = /_(SERVICE_(HOST|PORT)|PORT_\d+_)/;

/** Variables that are not settings, but are spelt so similarly that they are meant as one, which is named with them. */
export function misspeltNames(environment: Environment): [name: string, meant: string][] {
  return unknownNames(environment).flatMap((name) => {
    const meant = settingSimilarTo(name);
    return meant === undefined ? [] : [[name, meant]];
  });
}

/** A sentence about variables that begin like several settings and are not; undefined if there are none. */
export function describeIgnoredNames(environment: Environment): string | undefined {
  const ofSettings = knownNames().flatMap(prefixOf);
  const prefixes = new Set(ofSettings.filter((prefix, i) => ofSettings.indexOf(prefix) < i));
  const ignored = unknownNames(environment).filter((name) =>
    prefixOf(name).some((prefix) => prefixes.has(prefix)),
  );
  if (ignored.length === 0) return undefined;
  return `Ignored, because there are no settings of these names (docs/settings.md): ${ignored.join(', ')}`;
}

function knownNames(): string[] {
  return [...allSettings().keys()];
}

/** How the variables that many programs read are written as well. */
function namesInLowerCase(): string[] {
  return Array.from(allSettings(), ([name, { isCommon }]) => (isCommon ? name.toLowerCase() : name));
}

function unknownNames(environment: Environment): string[] {
  const known = new Set([...knownNames().flatMap((name) => [name, `${name}_FILE`]), ...namesInLowerCase()]);
  return Object.keys(environment).filter((name) => !known.has(name) && !isOfKubernetes(name, environment));
}

/** What Kubernetes sets for each service in a namespace, whatever the name of the service. */
function isOfKubernetes(name: string, environment: Environment): boolean {
  const ofService = /^(.+)_PORT$/.exec(name)?.[1];
  return OF_KUBERNETES.test(name) || (ofService !== undefined && `${ofService}_SERVICE_HOST` in environment);
}

function prefixOf(name: string): string[] {
  return name.match(/^[A-Z0-9]+_/) ?? [];
}

function settingSimilarTo(name: string): string | undefined {
  const upper = name.toUpperCase();
  for (const edits of [0, 1, 2]) {
    for (const setting of knownNames()) {
      if (edits > editsAllowedIn(setting)) continue;
      const meant = [setting, `${setting}_FILE`].find(
        (spelling) => isWithin(edits, upper, spelling) && hasSimilarWords(upper, spelling),
      );
      if (meant !== undefined) return meant;
    }
  }
  return undefined;
}

/** Of a short name, many others are only two letters away: HOST and PORT are part of what any machine may have. */
function editsAllowedIn({ length }: string): number {
  if (length < 6) return -1;
  return length < 8 ? 1 : 2;
}

/** Whether no short word is another one: B2_BUCKET is not meant as S3_BUCKET, nor MAX_LINES as MAX_FILES. */
function hasSimilarWords(one: string, other: string): boolean {
  const words = one.split('_');
  const others = other.split('_');
  return (
    words.length !== others.length ||
    others.every((word, i) => isWithin(word.length < 6 ? 1 : 2, words[i] ?? '', word))
  );
}

/** Whether so many letters inserted, left out, replaced or swapped with the next make one text into the other. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (one === other) return true;
  if (edits === 0 || Math.abs(one.length - other.length) > edits) return false;
  let same = 0;
  while (one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  return (
    isWithin(edits - 1, a.slice(1), b) ||
    isWithin(edits - 1, a, b.slice(1)) ||
    isWithin(edits - 1, a.slice(1), b.slice(1)) ||
    (a[0] === b[1] && a[1] === b[0] && isWithin(edits - 1, a.slice(2), b.slice(2)))
  );
}
