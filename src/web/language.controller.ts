import { IsOptional, IsString } from 'class-validator';
import { Body, NotFoundException, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicPage } from '../auth/access.decorators.js';
import { OnGateway } from '../platform/http/gateway.guard.js';
import { PublicUrl } from '../platform/http/public-url.js';
import { PostForm } from './forms/form.js';
import { languageCookie } from './language/language-resolver.js';
import { localPath } from './pages/paths.js';
import { SeeOther, PageController } from './pages/page-controller.js';
import { TextsService } from '../platform/i18n/texts.service.js';
import type { User } from '../auth/entities/user.entity.js';
import { UsersService } from '../auth/users/users.service.js';
import { CurrentUser } from './pages/parameters.js';

class ChooseLanguageDto {
  @IsString()
  language = '';

  /** The page to return to. */
  @IsOptional()
  @IsString()
  next?: string;
}

/** Stores the language that a visitor chooses: in a cookie, and with the account of whoever is signed in. */
@PageController()
@OnGateway()
export class LanguageController {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly texts: TextsService,
    private readonly users: UsersService,
  ) {}

  @PostForm('language')
  @PublicPage()
  async choose(
    @Body() { language: code, next }: ChooseLanguageDto,
    @CurrentUser() user: User | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const language = this.texts.languageOf(code);
    if (!language) throw new NotFoundException();
    if (user) await this.users.setNotices(user, { language });
    response.append('Set-Cookie', languageCookie(language, this.publicUrl.cookieScope(request)));
    return new SeeOther(localPath(next));
  }
}
