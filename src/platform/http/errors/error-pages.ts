import type { HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';

/** Shows errors as web pages. Provided by a module with pages; without it, every error is sent as JSON. */
export abstract class ErrorPages {
  abstract show(exception: HttpException, request: Request, response: Response): void;
}
