import { Module } from '@nestjs/common';
import { AuthModule } from '../../../auth/auth.module.js';
import { PushesModule } from '../../../pushes/pushes.module.js';
import { ServiceTarget } from './import-target.js';

@Module({ imports: [AuthModule, PushesModule], providers: [ServiceTarget] })
export class PasswordPusherModule {}
