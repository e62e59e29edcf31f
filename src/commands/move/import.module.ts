import { Module } from '@nestjs/common';
import { LoggingModule } from '../../logging/logging.module.js';
import { SettingsModule } from '../../settings/settings.module.js';
import { ImportService } from './import.service.js';

/** Not the service itself, which would register its master key and start with the database before the import. */
@Module({ imports: [SettingsModule, LoggingModule], providers: [ImportService] })
export class ImportModule {}
