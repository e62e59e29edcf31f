import { networkText, parseNetwork } from '../../platform/settings/networks.js';
import { Problem } from '../../platform/errors/problem.js';

const MAX_NETWORKS = 20;
/** Characters of a list in one text that is read at all. */
const MAX_TEXT = 2000;

/** What is wrong with the networks from which a push can be opened, a list or a text with commas or spaces. */
export function networksError(value: unknown): Problem | undefined {
  const parts = partsIn(value);
  if (!parts) return new Problem('networks_malformed');
  if (parts.length > MAX_NETWORKS) return new Problem('too_many_networks', { count: MAX_NETWORKS });
  return parts.every(parseNetwork) ? undefined : new Problem('networks_malformed');
}

/** Those of a valid value, each once; null for none, which allows all. */
export function readNetworks(value: unknown): string[] | null {
  const texts = (partsIn(value) ?? []).flatMap((part) => {
    const network = parseNetwork(part);
    return network ? [networkText(network)] : [];
  });
  return texts.length > 0 ? [...new Set(texts)] : null;
}

/** Spaces and commas, also those of Arabic, Chinese and Japanese keyboards. */
const SEPARATORS = /[\s,\u060C\uFF0C\u3001]+/;

/** The texts in a list, or in a text, that are not blank; undefined for any other value. */
function partsIn(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string')
    return value.length > MAX_TEXT ? undefined : value.split(SEPARATORS).filter(Boolean);
  if (!Array.isArray(value) || !value.every((part) => typeof part === 'string')) return undefined;
  return value.map((part) => part.trim()).filter(Boolean);
}
