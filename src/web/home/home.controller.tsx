import { Get, Post, Query, Req, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';
import { AnonymousPage, PublicPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { Visitor } from '../../http/visitor.js';
import { CurrentVisitor } from '../../http/visitor.js';
import type { CreatePushDto } from '../../pushes/create/create-push.dto.js';
import { RequestedPush } from '../../pushes/create/push-body.pipe.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { partsOf } from '../../pushes/link-mails/recipients.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import { IdempotentCreationsService } from '../../pushes/create/idempotent-creations.service.js';
import { Settings } from '../../settings/settings.js';
import { assertEncrypted } from './encryption-requirement.js';
import { formKey } from './form-key.js';
import { assertSameOwner } from './form-owner.js';
import { prepareHomeFields } from './home-fields.js';
import { HomeForm } from './home-form.js';
import { HomeErrorsInterceptor } from './home-errors.interceptor.js';
import { CurrentIdempotencyKey } from './idempotency-key.js';
import { PageResponse } from '../pages/page-response.js';
import { PageController } from '../pages/page-controller.js';
import { createdResponse } from './created-response.js';
import { SignInFirstInterceptor } from './sign-in-first.interceptor.js';
import { CurrentUser } from '../pages/current-user.js';
import { Created } from '../views/created.js';

/** The page where pushes are created. */
@PageController()
export class HomeController {
  constructor(
    private readonly form: HomeForm,
    private readonly creations: IdempotentCreationsService,
    private readonly rules: PushRules,
    private readonly settings: Settings,
  ) {}

  @Get()
  @AnonymousPage()
  show(@CurrentUser() user: User | undefined, @Query() query: Record<string, unknown>): PageResponse {
    return new PageResponse(this.form.viewWith(query, user));
  }

  @Post()
  @PublicPage()
  @UseInterceptors(HomeErrorsInterceptor, SignInFirstInterceptor)
  async create(
    @RequestedPush({ key: 'push', prepare: prepareHomeFields, rejectsAtFirstFile: true }) form: CreatePushDto,
    @CurrentIdempotencyKey() scriptKey: string | undefined,
    @CurrentVisitor() visitor: Visitor,
    @CurrentUser() user: User | undefined,
    @Req() { body }: Request,
  ): Promise<PageResponse> {
    const fields = body as PushFields;
    const key = scriptKey ?? formKey(fields.idempotency_key, form);
    const newPush = this.rules.newPushFrom(form);
    const mailed = newPush.recipients ? partsOf(newPush.recipients).length : 0;
    const created = await this.creations.create(key, newPush, visitor, () => {
      assertSameOwner(fields, user);
      assertEncrypted(form, this.settings);
    });
    return new PageResponse(<Created {...created} mailed={mailed} />, 201, () =>
      createdResponse(created, mailed),
    );
  }
}
