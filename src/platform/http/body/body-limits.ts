import { MIB } from '../../settings/units.js';

/** Bytes of a request body, without the files of a multipart form. See docs/api.md, Create. */
export const BODY_LIMIT = 13 * MIB;
/** Bytes of JSON from a caller with a valid token, which may contain files in base64. */
export const JSON_BODY_LIMIT_WITH_TOKEN = 34 * MIB;
/** Bytes of a form with a few short fields. */
export const SHORT_FORM_LIMIT = MIB / 16;

/** Levels of nested arrays and objects. */
export const JSON_DEPTH = 32;
/** Strings, numbers, literals, arrays and objects; member names do not count. */
export const JSON_VALUES = 10_000;
/** Bytes of a member name between its quotes, escapes included. */
export const JSON_NAME_BYTES = 1024;
/** Bytes of all member names together. */
export const JSON_NAMES_BYTES = 128 * 1024;

export const FORM_FIELDS = 1000;
/** Characters in the name of a field. */
export const FORM_NAME_LENGTH = 1024;
/** Pairs of brackets in the name of a field. */
export const FORM_DEPTH = 32;

export const MULTIPART_FIELDS = 100;
export const MULTIPART_NAME_LENGTH = 200;
/** Bytes of a field: as many as the longest text of a push can have in UTF-8. */
export const MULTIPART_FIELD_BYTES = 4 * MIB;
export const MULTIPART_ARRAY_INDEX = 100;
/** Parts with a file that is not used, such as those of file inputs without a selection. */
export const MULTIPART_UNWANTED_FILES = 10;
/** Characters of the boundary between the parts (RFC 2046, 5.1.1). */
export const BOUNDARY_LENGTH = 70;
