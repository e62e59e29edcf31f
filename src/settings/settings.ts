import { resolve } from 'node:path';
import type { Logo } from './logo.js';
import { logo } from './logo.js';
import {
  color,
  contact,
  flag,
  folder,
  host,
  line,
  masterKeys,
  networks,
  oneOf,
  publicUrl,
  whole,
  word,
} from './parsers.js';
import type { MysqlAddress, RedisAddress } from './server-addresses.js';
import { mysqlUrl, redisUrl } from './server-addresses.js';
import { Setting } from './setting.js';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Whether the pages encrypt secrets in the browser. It never concerns the API. */
export type EndToEnd = 'off' | 'offered' | 'default' | 'required';

/** All settings with their defaults. A test compares them with the table in the README. */
export class Settings {
  @Setting(whole(0, 65535)) PORT: number = 5100;
  @Setting(host) HOST: string = '0.0.0.0';
  @Setting(whole(1, 64)) WORKERS: number = 1;
  @Setting(whole(0, 65535)) METRICS_PORT?: number;
  @Setting(publicUrl) PUBLIC_URL?: string;
  @Setting(networks) TRUSTED_PROXIES: string[] = [];

  @Setting(folder) DATA_DIR: string = resolve('data');
  @Setting(mysqlUrl) DATABASE_URL?: MysqlAddress;
  @Setting(whole(1, 1000)) DATABASE_POOL_SIZE: number = 10;
  @Setting(masterKeys) MASTER_KEYS?: Buffer[];

  @Setting(flag) ALLOW_ANONYMOUS: boolean = true;
  @Setting(flag) DISABLE_SIGNUPS: boolean = false;
  @Setting(flag) ENABLE_FILE_PUSHES: boolean = true;
  @Setting(flag) ENABLE_URL_PUSHES: boolean = true;
  @Setting(flag) ENABLE_QR_PUSHES: boolean = true;
  @Setting(flag) FILES_REQUIRE_AUTHENTICATION: boolean = true;
  @Setting(whole(1, 36500)) EXPIRE_AFTER_DAYS_DEFAULT: number = 7;
  @Setting(whole(1, 36500)) EXPIRE_AFTER_DAYS_MIN: number = 1;
  @Setting(whole(1, 36500)) EXPIRE_AFTER_DAYS_MAX: number = 90;
  @Setting(whole(1, 1_000_000)) EXPIRE_AFTER_VIEWS_DEFAULT: number = 5;
  @Setting(whole(1, 1_000_000)) EXPIRE_AFTER_VIEWS_MIN: number = 1;
  @Setting(whole(1, 1_000_000)) EXPIRE_AFTER_VIEWS_MAX: number = 100;
  @Setting(flag) DELETABLE_BY_VIEWER_DEFAULT: boolean = false;
  @Setting(flag) RETRIEVAL_STEP_DEFAULT: boolean = false;
  @Setting(flag) OWNER_VIEWS_COUNT: boolean = true;
  @Setting(whole(1, 36500)) RETENTION_DAYS?: number;
  @Setting(oneOf('off', 'offered', 'default', 'required')) END_TO_END: EndToEnd = 'default';

  @Setting(whole(1, 1000)) MAX_FILES: number = 10;
  @Setting(whole(1, 1_000_000_000_000)) MAX_FILE_SIZE: number = 104_857_600;
  @Setting(whole(1, 1_000_000_000_000)) MAX_PUSH_SIZE: number = 262_144_000;
  @Setting(oneOf('disk', 's3')) FILE_STORAGE: 'disk' | 's3' = 'disk';
  @Setting(whole(0, 100_000_000_000_000)) DISK_RESERVE?: number;
  @Setting(whole(0, 100_000_000_000_000)) UPLOAD_BYTES_PER_DAY: number = 0;
  @Setting(publicUrl) S3_ENDPOINT?: string;
  @Setting(word) S3_BUCKET?: string;
  @Setting(word) S3_REGION: string = 'us-east-1';
  @Setting(word) S3_ACCESS_KEY_ID?: string;
  @Setting(word) S3_SECRET_ACCESS_KEY?: string;

  @Setting(line(60)) OPERATOR_NAME?: string;
  @Setting(contact) OPERATOR_CONTACT?: string;
  @Setting(logo) BRAND_LOGO_FILE?: Logo;
  @Setting(color) BRAND_COLOR?: string;
  @Setting(color) BRAND_COLOR_DARK?: string;
  @Setting(line(200)) FOOTER_TEXT?: string;

  @Setting(whole(0, 1_000_000)) REQUESTS_PER_MINUTE: number = 120;
  @Setting(whole(0, 10_000_000)) PAGE_REQUESTS_PER_MINUTE: number = 1200;
  @Setting(redisUrl) THROTTLE_REDIS_URL?: RedisAddress;
  @Setting(whole(35_651_584, 1_000_000_000_000)) MAX_BODY_BYTES_IN_PROGRESS: number = 134_217_728;
  @Setting(oneOf('error', 'warn', 'info', 'debug')) LOG_LEVEL: LogLevel = 'info';
}
