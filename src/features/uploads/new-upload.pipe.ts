import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable, NotFoundException } from '@nestjs/common';
import type { Request } from 'express';
import { byName, Contributions } from '../../platform/contributions/contributions.js';
import { Settings } from '../../platform/settings/settings.js';
import { CreationPolicies } from '../../pushes/create/creation-policy.js';
import type { PushSource } from '../../pushes/create/push-body.pipe.js';
import { UploadSource, VisitorSource } from '../../pushes/create/push-body.pipe.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import { UploadMetadata } from './tus-headers.js';

/** What an upload is begun with: its metadata, and who begins it. */
export interface NewUpload {
  metadata: UploadMetadata;
  source: PushSource;
}

/** Finds who begins an upload: a visitor, for a push of their own, unless its metadata says what else it is for. */
@Injectable()
class NewUploadPipe implements PipeTransform<Request, Promise<NewUpload>> {
  /** By the keys of metadata. */
  private sources?: ReturnType<typeof byName<UploadSource>>;

  constructor(
    private readonly policies: CreationPolicies,
    private readonly rules: PushRules,
    private readonly settings: Settings,
    private readonly contributions: Contributions,
  ) {}

  async transform(request: Request): Promise<NewUpload> {
    const metadata = UploadMetadata.of(request.headers);
    this.sources ??= byName(this.contributions.providers(UploadSource));
    for (const [key, other] of this.sources) {
      const name = metadata.value(key);
      if (name !== undefined) return { metadata, source: await other.sourceFor(name, request) };
    }
    return { metadata, source: await this.visitor(request) };
  }

  private async visitor(request: Request): Promise<PushSource> {
    if (this.settings.isGateway) throw new NotFoundException(); // which creates no pushes of visitors
    const policy = await this.policies.of(request);
    policy.assertMayCreate();
    return new VisitorSource(policy, 'api', this.rules, request);
  }
}

const WholeRequest = createParamDecorator((_: unknown, context) =>
  context.switchToHttp().getRequest<Request>(),
);

/** Parameter decorator: what a request begins an upload with. */
export const BegunUpload = () => WholeRequest(NewUploadPipe);
