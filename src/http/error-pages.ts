import type { HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';

/** Tells people of errors. Whoever has pages provides it; without it every error is told as JSON. */
export abstract class ErrorPages {
  abstract show(refusal: HttpException, request: Request, response: Response): void;
}
