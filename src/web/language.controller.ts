import { IsOptional, IsString } from 'class-validator';
import { Body, NotFoundException, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicPage } from '../auth/access.decorators.js';
import { OnGateway } from '../platform/http/gateway.guard.js';
import { PublicUrl } from '../platform/http/public-url.js';
import { PostForm } from './forms/form.js';
import { languageCookie } from './language/language.js';
import { localPath } from './pages/paths.js';
import { SeeOther } from './pages/page-response.js';
import { PageController } from './pages/page-controller.js';
import { isLanguage } from '../texts/languages.js';

class ChooseLanguageDto {
  @IsString()
  language = '';

  /** The page to return to. */
  @IsOptional()
  @IsString()
  next?: string;
}

/** Stores the language that a visitor chooses, in a cookie. */
@PageController()
@OnGateway()
export class LanguageController {
  constructor(private readonly publicUrl: PublicUrl) {}

  @PostForm('language')
  @PublicPage()
  choose(
    @Body() { language, next }: ChooseLanguageDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): SeeOther {
    if (!isLanguage(language)) throw new NotFoundException();
    response.append('Set-Cookie', languageCookie(language, this.publicUrl.cookieScope(request)));
    return new SeeOther(localPath(next));
  }
}
