import type { HttpException } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { Problem } from '../../platform/errors/problem.js';
import { SecretRequestProblem } from './requests.problems.js';
import { Cookies } from '../../platform/http/cookies.js';
import { clientAddress, VisitorPipe } from '../../platform/http/visitor.js';
import { SecretRequestSettings } from './requests.settings.js';
import type { CreatePushDto } from '../../pushes/create/create-push.dto.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import { UploadSource } from '../../pushes/create/push-body.pipe.js';
import type { CreationRequest, PushSource, Sourced, SourcePipe } from '../../pushes/create/push-body.pipe.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { readPassphrase } from '../../pushes/retrieve/retrieval.js';
import { encryptedFileSize } from '../../shared/age-size.js';
import { answersTooLarge } from './answers.service.js';
import { OpenSecretRequestsService } from './open-requests.service.js';
import { passCookieOf } from './secret-request-passphrases.js';
import type { FoundSecretRequest } from './requests.service.js';

/** An answer to a request, which decides all but the secret: a push of the account that asked. */
export class AnswerSource implements PushSource {
  constructor(
    readonly answered: FoundSecretRequest,
    private readonly rules: PushRules,
    private readonly settings: SecretRequestSettings,
  ) {}

  get ownerId(): string {
    return this.answered.row.userId;
  }

  get filesLimit(): { of: string; bytes: number; exceededError: () => HttpException } {
    const { MAX_REQUEST_SIZE } = this.settings;
    const left = this.answered.row.bytesRemaining(MAX_REQUEST_SIZE);
    const received = encryptedFileSize(left) + this.rules.files.maxFiles * encryptedFileSize(0);
    return {
      of: `request/${this.answered.row.id}`,
      bytes: this.mustBeEncrypted() && left > 0 ? received : left,
      exceededError: () => answersTooLarge(MAX_REQUEST_SIZE),
    };
  }

  assertMayAttach(): void {
    if (!this.answered.row.filesAllowed)
      throw new InvalidFields({ files: new SecretRequestProblem('files_not_wanted') });
    if (!this.rules.files.isEnabled) throw new InvalidFields({ files: new Problem('files_disabled') });
  }

  /** To the age recipient of the request, if it has one. */
  mustBeEncrypted(): boolean {
    return this.answered.texts.recipient !== undefined;
  }

  /** Clients call the secret `response`; pages call it `payload`. */
  fieldsOf({ response, payload, files, uploads }: PushFields): PushFields {
    return { payload: response ?? payload, files, uploads, client_encrypted: this.mustBeEncrypted() };
  }

  problemsOf(push: CreatePushDto, sent: PushFields): Record<string, Problem[]> {
    const { payload, ...others } = this.rules.problemsOf(push, 'recipient');
    if (!payload) return others;
    return 'response' in sent ? { response: payload, ...others } : { payload, ...others };
  }
}

/** Finds the request that an answer is for, or the upload of a file of one. */
@Injectable()
@UploadSource('request')
export class AnswerSourcePipe implements SourcePipe<AnswerSource> {
  constructor(
    private readonly requests: OpenSecretRequestsService,
    private readonly visitors: VisitorPipe,
    private readonly cookies: Cookies,
    private readonly rules: PushRules,
    private readonly settings: SecretRequestSettings,
  ) {}

  async transform(creation: CreationRequest): Promise<Sourced<AnswerSource>> {
    const { url_token: urlToken } = creation.request.params as { url_token: string };
    await this.requests.assertNotTooOften(clientAddress(creation.request));
    return Object.assign(creation, { source: await this.sourceFor(urlToken, creation.request) });
  }

  async sourceFor(urlToken: string, request: Request): Promise<AnswerSource> {
    const credentials = {
      passphrase: readPassphrase(request),
      pass: this.cookies.read(request, passCookieOf(urlToken)),
    };
    const answered = await this.requests.find(urlToken, credentials, this.visitors.transform(request));
    return new AnswerSource(answered, this.rules, this.settings);
  }
}
