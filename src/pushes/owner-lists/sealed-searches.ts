import { BadRequestException, Injectable } from '@nestjs/common';
import { textError } from '../../platform/http/validation/text-error.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { Keyring } from '../../platform/sealing/keyring.js';
import { ifUnsealed } from '../../platform/sealing/secretbox.js';
import { ownId } from '../push/pushes.service.js';
import { Problem } from '../../platform/errors/problem.js';

const MAX_TEXT = 200;

/** What an owner searches for, and the same as it is written in a URL; both are empty for all pushes. */
export interface SearchedText {
  text: string;
  sealed: string;
}

/**
 * Seals what owners search for, so that it can be part of a URL: names and notes are sealed in the database, and URLs
 * end up in logs. It can be unsealed only for the same account.
 */
@Injectable()
export class SealedSearches {
  constructor(private readonly keyring: Keyring) {}

  /** @throws BadRequestException */
  seal(text: unknown = '', visitor: Visitor): SearchedText {
    const problem = textError(text, MAX_TEXT);
    if (problem) throw new BadRequestException(searchProblem(problem));
    const searched = (text as string).trim();
    if (searched === '') return { text: '', sealed: '' };
    return { text: searched, sealed: this.keyring.sealText(searched, ...contextOf(visitor)) };
  }

  /** @throws BadRequestException when it was not sealed for this account, or with a master key that has been removed */
  open(sealed: unknown = '', visitor: Visitor): SearchedText {
    if (sealed === '') return { text: '', sealed: '' };
    if (typeof sealed !== 'string') throw invalidSearch();
    const text = ifUnsealed(() => this.keyring.unsealText(sealed, ...contextOf(visitor)));
    if (text === undefined) throw invalidSearch();
    return { text, sealed };
  }
}

function contextOf(visitor: Visitor): [scope: string, context: string] {
  return [`user/${ownId(visitor)}`, 'search'];
}

/** What is wrong with the parameter `q`. */
function searchProblem({ code }: Problem): Problem {
  switch (code) {
    case 'too_long':
      return new Problem('search_too_long', { count: MAX_TEXT });
    case 'malformed_text':
      return new Problem('search_malformed');
    default:
      return new Problem('search_not_a_string');
  }
}

export function invalidSearch(): BadRequestException {
  return new BadRequestException(new Problem('search_invalid'));
}
