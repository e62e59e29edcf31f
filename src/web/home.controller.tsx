import { Get, Post, Query, UseInterceptors } from '@nestjs/common';
import { AnonymousPage } from '../auth/access.decorators.js';
import type { User } from '../auth/user.entity.js';
import type { Visitor } from '../http/visitor.js';
import { CurrentVisitor } from '../http/visitor.js';
import type { CreatePushDto } from '../pushes/create/create-push.dto.js';
import { RequestedPush } from '../pushes/create/push-body.pipe.js';
import { PushRules } from '../pushes/create/push-rules.js';
import { SubmissionsService } from '../pushes/create/submissions.service.js';
import { HomeForm } from './home-form.js';
import { undoBrowserEncoding } from './browser-encoding.js';
import { HomeFaultsInterceptor } from './home-faults.interceptor.js';
import { CurrentIdempotencyKey } from './idempotency-key.js';
import { PageAnswer } from './page-answer.js';
import { PageController } from './page-controller.js';
import { SignedIn } from './signed-in.js';
import { Made } from './views/made.js';

/** The page where pushes are created. */
@PageController()
export class HomeController {
  constructor(
    private readonly form: HomeForm,
    private readonly submissions: SubmissionsService,
    private readonly rules: PushRules,
  ) {}

  @Get()
  @AnonymousPage()
  show(@SignedIn() user: User | undefined, @Query() query: Record<string, unknown>): PageAnswer {
    return new PageAnswer(this.form.viewWith(query, user));
  }

  @Post()
  @AnonymousPage()
  @UseInterceptors(HomeFaultsInterceptor)
  async create(
    @RequestedPush({ key: 'push', prepare: undoBrowserEncoding }) form: CreatePushDto,
    @CurrentIdempotencyKey() key: string | undefined,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<PageAnswer> {
    const { push, deleteKey } = await this.submissions.submit(key, this.rules.termsOf(form), visitor);
    const isOwner = visitor.userId !== undefined;
    return new PageAnswer(<Made push={push} isOwner={isOwner} deleteKey={deleteKey} />, 201);
  }
}
