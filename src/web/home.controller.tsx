import { Body, Get, Post, UseInterceptors } from '@nestjs/common';
import { AnonymousPage } from '../auth/openness.js';
import type { User } from '../auth/user.entity.js';
import type { Visitor } from '../common/visitor.js';
import { CurrentVisitor } from '../common/visitor.js';
import { CreatePushPipe } from '../pushes/create-push.pipe.js';
import { PushBodyInterceptor } from '../pushes/push-body.interceptor.js';
import type { PushTerms } from '../pushes/push-terms.js';
import { PushesService } from '../pushes/pushes.service.js';
import { HomeForm } from './home-form.js';
import { FormLinesPipe } from './form-lines.pipe.js';
import { HomeFaultsInterceptor } from './home-faults.interceptor.js';
import { PageAnswer } from './page-answer.js';
import { PageController } from './page-controller.js';
import { SignedIn } from './signed-in.js';
import { Made } from './views/made.js';

/** Where pushes are made. */
@PageController()
export class HomeController {
  constructor(
    private readonly form: HomeForm,
    private readonly pushes: PushesService,
  ) {}

  @Get()
  @AnonymousPage()
  show(@SignedIn() user: User | undefined): PageAnswer {
    return this.form.show(user);
  }

  @Post()
  @AnonymousPage()
  @UseInterceptors(HomeFaultsInterceptor, PushBodyInterceptor)
  async create(
    @Body(FormLinesPipe, CreatePushPipe) terms: PushTerms,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<PageAnswer> {
    const push = await this.pushes.create(terms, visitor);
    return new PageAnswer(<Made push={push} isOwner={visitor.userId !== undefined} />, 201);
  }
}
