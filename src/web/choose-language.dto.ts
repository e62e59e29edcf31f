import { IsOptional, IsString } from 'class-validator';

export class ChooseLanguageDto {
  @IsString()
  language = '';

  /** The page to return to. */
  @IsOptional()
  @IsString()
  next?: string;
}
