import { declareProblems } from '../../platform/errors/problem.js';

/** Why an upload in parts, or a part of one, is refused. */
export const UploadProblem = declareProblems({
  tus_version_unsupported: ['Tus-Resumable must be 1.0.0.', null],
  upload_header_malformed: [
    ({ name, requirement }: { name: string; requirement: string }) => `${name} must be ${requirement}.`,
    null,
  ],
  upload_type_unsupported: ['Content-Type must be application/offset+octet-stream.', null],
  upload_offset_differs: [
    ({ offset }: { offset: number }) => `Upload-Offset must be ${offset}: so many bytes have arrived.`,
    null,
  ],
  upload_too_long: ['More bytes than Upload-Length were sent.', null],
  upload_checksum_differs: ['The bytes do not match Upload-Checksum. They were dropped.', null],
  upload_locked: ['Another request is sending a part of this upload. Try again in a few seconds.', null],
  upload_not_joined: [
    'What was uploaded is still being put together. Try again in a few seconds.',
    'formError.uploadNotJoined',
  ],
  upload_without_space: [
    'There is too little space for this file here. Tell the operator.',
    'formError.uploadWithoutSpace',
  ],
  upload_ended: ['This upload has ended. Begin a new one.', null],
  upload_in_too_many_parts: [
    'This upload came in too many parts of less than 64 KiB, or was interrupted too often. Begin a new one.',
    null,
  ],
  upload_for_unknown: [({ name }: { name: string }) => `Nothing is uploaded for a ${name} here.`, null],
  uploads_unknown: [
    'must be ids of finished uploads of this account, each once and of no other push',
    'formError.uploadsUnknown',
  ],
  too_many_uploads: [
    ({ count }: { count: number }) =>
      `At most ${count} uploads can wait for their push. Use or end one first.`,
    'formError.tooManyUploads',
  ],
});
