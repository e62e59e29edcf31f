import { Get, Post, Query, Req, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';
import { AnonymousPage, OpenPage } from '../auth/access.decorators.js';
import type { User } from '../auth/user.entity.js';
import type { Visitor } from '../http/visitor.js';
import { CurrentVisitor } from '../http/visitor.js';
import type { CreatePushDto } from '../pushes/create/create-push.dto.js';
import { RequestedPush } from '../pushes/create/push-body.pipe.js';
import type { PushFields } from '../pushes/create/push-fields.js';
import { PushRules } from '../pushes/create/push-rules.js';
import { SubmissionsService } from '../pushes/create/submissions.service.js';
import { formKey } from './form-key.js';
import { assertSameOwner } from './form-owner.js';
import { prepareHomeFields } from './home-fields.js';
import { HomeForm } from './home-form.js';
import { HomeFaultsInterceptor } from './home-faults.interceptor.js';
import { CurrentIdempotencyKey } from './idempotency-key.js';
import { PageAnswer } from './page-answer.js';
import { PageController } from './page-controller.js';
import { resultPath } from './result-path.js';
import { SignInFirstInterceptor } from './sign-in-first.interceptor.js';
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
  @OpenPage()
  @UseInterceptors(HomeFaultsInterceptor, SignInFirstInterceptor)
  async create(
    @RequestedPush({ key: 'push', prepare: prepareHomeFields, areFieldsKept: true }) form: CreatePushDto,
    @CurrentIdempotencyKey() scriptKey: string | undefined,
    @CurrentVisitor() visitor: Visitor,
    @SignedIn() user: User | undefined,
    @Req() { body }: Request,
  ): Promise<PageAnswer> {
    const fields = body as PushFields;
    const key = scriptKey ?? formKey(fields.idempotency_key, form);
    const created = await this.submissions.submit(key, this.rules.termsOf(form), visitor, () => {
      assertSameOwner(fields, user);
    });
    return new PageAnswer(<Made {...created} />, 201, () => ({ path: resultPath(created) }));
  }
}
