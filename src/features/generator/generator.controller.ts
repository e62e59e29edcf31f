import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Anonymous, ForTokens } from '../../auth/access.decorators.js';
import { SHORT_FORM_LIMIT } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { isObject, fieldsUnder } from '../../pushes/fields/push-fields.js';
import type { GeneratedDto } from './generate.dto.js';
import { GeneratorService } from './generator.service.js';

const LIMITS = {
  jsonLimit: SHORT_FORM_LIMIT,
  formLimit: SHORT_FORM_LIMIT,
  types: ['application/json', 'application/x-www-form-urlencoded'],
};

@Controller('api/v2/generate')
export class GeneratorController {
  constructor(
    private readonly generator: GeneratorService,
    private readonly bodies: BodyReader,
  ) {}

  /** Generates passwords, passphrases or PINs. */
  @Post()
  @HttpCode(200)
  @Anonymous()
  @ForTokens('create')
  async generate(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<GeneratedDto> {
    await this.generator.assertNotTooOften(visitor);
    const body = await this.bodies.jsonOrForm(request, response, LIMITS);
    return this.generator.generate(fieldsUnder('generate', body) ?? (isObject(body) ? body : {}));
  }
}
