import { Body, Get, Param } from '@nestjs/common';
import { MemberPage } from '../auth/openness.js';
import { TokensService } from '../auth/tokens.service.js';
import type { User } from '../auth/user.entity.js';
import { textFault } from '../http/text.js';
import type { Form } from './form.js';
import { PostForm } from './form.js';
import { PageAnswer, SeeOther } from './page-answer.js';
import { PageController } from './page-controller.js';
import { SignedIn } from './signed-in.js';
import { Tokens } from './views/tokens.js';

const LONGEST_NAME = 255;

/** The API tokens of whoever is signed in. */
@PageController()
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Get('users/token')
  @MemberPage()
  async show(@SignedIn() user: User): Promise<PageAnswer> {
    return new PageAnswer(<Tokens tokens={await this.tokens.listOf(user)} />);
  }

  @PostForm('users/token')
  @MemberPage()
  async make(@SignedIn() user: User, @Body() { name = '' }: Form): Promise<PageAnswer> {
    const fault = name.trim() === '' ? "can't be blank" : textFault(name, LONGEST_NAME);
    if (fault !== undefined) {
      const tokens = await this.tokens.listOf(user);
      return new PageAnswer(<Tokens tokens={tokens} faults={{ name: [fault] }} />, 422);
    }
    const made = await this.tokens.create(user, name.trim());
    return new PageAnswer(<Tokens tokens={await this.tokens.listOf(user)} made={made} />, 201);
  }

  @PostForm('users/token/:id/revoke')
  @MemberPage()
  async revoke(@SignedIn() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.tokens.revoke(user, id);
    return new SeeOther('/users/token');
  }
}
