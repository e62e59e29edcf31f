// The second reference: what NestJS costs by itself. Its defaults, one DTO, and the durable store of the baseline; no guard,
// log or interceptor.
import 'reflect-metadata';
import { promisify } from 'node:util';
import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Post,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { openStore } from './durable-store.mjs';

class CreatePushDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(1_048_576)
  payload: string;

  @IsInt()
  @Min(1)
  @Max(100)
  expire_after_views: number = 5;
}

@Injectable()
class PushesService {
  private store: Awaited<ReturnType<typeof open>>;

  async onModuleInit(): Promise<void> {
    this.store = await open(process.env);
  }

  async create({ payload, expire_after_views }: CreatePushDto): Promise<{ url_token: string }> {
    return { url_token: await this.store.create(payload, expire_after_views) };
  }

  async view(token: string): Promise<{ payload: string | null }> {
    const payload = await this.store.view(token);
    if (payload === undefined) throw new NotFoundException();
    return { payload };
  }
}

@Controller('api/v2/pushes')
class PushesController {
  constructor(private readonly pushes: PushesService) {}

  @Post()
  create(@Body('push') push: CreatePushDto): Promise<{ url_token: string }> {
    return this.pushes.create(push);
  }

  @Get(':token')
  view(@Param('token') token: string): Promise<{ payload: string | null }> {
    return this.pushes.view(token);
  }
}

@Module({ controllers: [PushesController], providers: [PushesService] })
class AppModule {}

async function open(env: NodeJS.ProcessEnv) {
  const store = await promisify(openStore)(env);
  return {
    create: promisify(store.create) as (payload: string, views: number) => Promise<string>,
    view: promisify(store.view) as (token: string) => Promise<string | null | undefined>,
  };
}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: false });
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  await app.listen(0, '127.0.0.1');
  console.log(JSON.stringify({ address: await app.getUrl() }));
}

void main();
