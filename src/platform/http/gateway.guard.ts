import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable, NotFoundException, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { RequestHandler } from 'express';
import { Settings } from '../settings/settings.js';

const ON_GATEWAY = Symbol('on gateway');

/** Opens a route, or all routes of a controller, on a gateway too. Routes without it are a 404 there. */
export const OnGateway = () => SetMetadata(ON_GATEWAY, true);

/** Makes a gateway respond to each route that it does not serve as to a path that does not exist. */
@Injectable()
export class GatewayGuard implements CanActivate {
  private readonly isGateway: boolean;

  constructor(
    settings: Settings,
    private readonly reflector: Reflector,
  ) {
    this.isGateway = settings.isGateway;
  }

  canActivate(context: ExecutionContext): true {
    if (this.isGateway && !this.isOpen(context)) throw new NotFoundException();
    return true;
  }

  private isOpen(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<true | undefined>(ON_GATEWAY, targets) === true;
  }
}

/** Keeps Express from responding to OPTIONS itself, which would tell which routes there are. */
export const refuseOptions: RequestHandler = ({ method }, _response, next) => {
  next(method === 'OPTIONS' ? new NotFoundException() : undefined);
};
