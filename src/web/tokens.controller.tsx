import { Body, Get, Injectable, Param } from '@nestjs/common';
import { MemberPage } from '../auth/access.decorators.js';
import { TokensService } from '../auth/tokens.service.js';
import type { User } from '../auth/user.entity.js';
import { CreateTokenDto } from './forms/create-token.dto.js';
import type { Form } from './forms/form.js';
import { PostForm } from './forms/form.js';
import { FormFaultsInterceptor } from './forms/form-faults.interceptor.js';
import { PageAnswer, SeeOther } from './page-answer.js';
import { PageController } from './page-controller.js';
import { SignedIn } from './signed-in.js';
import type { Faults } from './views/fields.js';
import { Tokens } from './views/tokens.js';

@Injectable()
class TokenFaults extends FormFaultsInterceptor {
  constructor(private readonly tokens: TokensService) {
    super();
  }

  protected async view(faults: Faults, _typed: Form, user: User) {
    return <Tokens tokens={await this.tokens.listOf(user)} formId={this.tokens.newId()} faults={faults} />;
  }
}

/** The API tokens of the signed-in user. */
@PageController()
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Get('users/token')
  @MemberPage()
  async show(@SignedIn() user: User): Promise<PageAnswer> {
    return new PageAnswer(<Tokens tokens={await this.tokens.listOf(user)} formId={this.tokens.newId()} />);
  }

  /**
   * The response shows the token, because a redirect would need it in a URL, in a cookie or in the database. A repeated
   * form has the id of a token that exists, so it creates no other.
   */
  @PostForm('users/token', TokenFaults)
  @MemberPage()
  async create(
    @SignedIn() user: User,
    @Body() { name, id = this.tokens.newId() }: CreateTokenDto,
  ): Promise<PageAnswer> {
    const made = await this.tokens.createOnce(user, name.trim(), id);
    const tokens = await this.tokens.listOf(user);
    return made === undefined
      ? new PageAnswer(<Tokens tokens={tokens} formId={this.tokens.newId()} isRepeated />)
      : new PageAnswer(<Tokens tokens={tokens} formId={this.tokens.newId()} made={made} />, 201);
  }

  @PostForm('users/token/:id/revoke')
  @MemberPage()
  async revoke(@SignedIn() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.tokens.revoke(user, id);
    return new SeeOther('/users/token');
  }
}
