import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { CredentialsService } from '../../auth/sign-in/credentials.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { clientAddress } from '../../http/client-address.js';
import type { Form } from './form.js';
import { Problem } from '../../errors/problem.js';

/**
 * Checks the signed-in user's password in a form. It runs before the rest of the form is checked, so that a wrong
 * password is counted whatever else is wrong.
 */
@Injectable()
export class ConfirmPasswordInterceptor implements NestInterceptor {
  constructor(private readonly credentials: CredentialsService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const { email } = request.user as User;
    const { password = '' } = request.body as Form;
    if (!(await this.credentials.authenticate(email, password, clientAddress(request)))) {
      throw new UnprocessableEntityException({ password: [new Problem('current_password_wrong')] });
    }
    return next.handle();
  }
}
