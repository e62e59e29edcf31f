import { Body, Get, Injectable, Param, Query } from '@nestjs/common';
import { SignedInPage } from '../../auth/access.decorators.js';
import { TokensService } from '../../auth/tokens/tokens.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { ListPage } from '../../http/paging/list-page.js';
import type { Language } from '../../texts/languages.js';
import { CreateTokenDto } from './create-token.dto.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { PageController } from '../pages/page-controller.js';
import { PageLanguage } from './requested-by.js';
import { CurrentUser } from '../pages/current-user.js';
import type { FieldErrors } from '../views/fields.js';
import { Tokens } from '../views/tokens.js';

@Injectable()
class TokenErrors extends FormErrorsInterceptor {
  constructor(private readonly tokens: TokensService) {
    super();
  }

  protected async view(errors: FieldErrors, _typed: Form, user: User) {
    const list = await this.tokens.pageOf(user, ListPage.parse(undefined));
    return <Tokens list={list} formId={this.tokens.newId()} errors={errors} />;
  }
}

/** The API tokens of the signed-in user. */
@PageController()
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Get('users/token')
  @SignedInPage()
  async show(@CurrentUser() user: User, @Query('page') page: unknown): Promise<PageResponse> {
    const list = await this.tokens.pageOf(user, ListPage.parse(page));
    return new PageResponse(<Tokens list={list} formId={this.tokens.newId()} />);
  }

  /**
   * The response shows the token, because a redirect would need it in a URL, in a cookie or in the database. A repeated
   * form has the id of a token that exists, so it creates no other.
   */
  @PostForm('users/token', TokenErrors)
  @SignedInPage()
  async create(
    @CurrentUser() user: User,
    @Body() { name, id = this.tokens.newId() }: CreateTokenDto,
    @PageLanguage() language: Language,
  ): Promise<PageResponse> {
    const created = await this.tokens.createOnce(user, name.trim(), id, language);
    const list = await this.tokens.pageOf(user, ListPage.parse(undefined));
    return created === undefined
      ? new PageResponse(<Tokens list={list} formId={this.tokens.newId()} isRepeated />)
      : new PageResponse(<Tokens list={list} formId={this.tokens.newId()} newToken={created} />, 201);
  }

  @PostForm('users/token/:id/revoke')
  @SignedInPage()
  async revoke(@CurrentUser() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.tokens.revoke(user, id);
    return new SeeOther('/users/token');
  }
}
