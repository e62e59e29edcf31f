import { Module } from '@nestjs/common';
import { SettingsModule } from '../../settings/settings.module.js';
import { ImportService } from './import.service.js';

/** Not the service itself, which would register its master key and start with the database before the import. */
@Module({ imports: [SettingsModule], providers: [ImportService] })
export class ImportModule {}
