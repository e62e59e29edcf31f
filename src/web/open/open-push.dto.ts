import { IsOptional, IsString } from 'class-validator';

export class OpenPushDto {
  @IsOptional()
  @IsString()
  passphrase?: string;
}
