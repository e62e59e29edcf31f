import { IsOptional, IsString } from 'class-validator';

export class DeletePushDto {
  @IsOptional()
  @IsString()
  delete_key?: string;
}
