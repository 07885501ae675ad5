import path from 'node:path';
import type { Role } from '@ridewatch/contract/auth';
import type * as z from 'zod/mini';
import type { DiskLimits } from './disk.ts';
import { Environment } from './environment.ts';
import { StartError } from './errors.ts';

export const allRoles = ['api', 'worker', 'ingest'] as const;
export type ServerRole = (typeof allRoles)[number];

/** A provider of OpenID Connect. */
export interface OpenidConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  readonly name: string;
  readonly loginClaim: string;
}

export interface Config {
  readonly roles: readonly ServerRole[];
  readonly demo: boolean;
  readonly port: number;
  readonly host: string;
  /** Ports of unit protocols; 0: none. */
  readonly egtsPort: number;
  readonly jt808Port: number;
  readonly osmandPort: number;
  /** Addresses and ranges from where each protocol is taken; undefined: all. */
  readonly egtsFrom: readonly string[] | undefined;
  readonly jt808From: readonly string[] | undefined;
  readonly osmandFrom: readonly string[] | undefined;
  /** Port of live video by JT/T 1078; 0: none. */
  readonly jt1078Port: number;
  /** Port of FTP; 0: none. */
  readonly ftpPort: number;
  /** Ports of its data connections, both included. */
  readonly ftpPassivePorts: { readonly first: number; readonly last: number };
  /** The address or name that units reach, where a command names it; undefined: the address of the machine. */
  readonly unitPublicHost: string | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databasePool: number;
  readonly logLevel: string;
  readonly clockOffsetMs: number;
  readonly trustProxy: readonly string[];
  /** The address at which users open the product, without a slash at its end; undefined: unknown. */
  readonly publicUrl: string | undefined;
  readonly companyName: string;
  readonly supportEmail: string;
  /** Undefined: no tile server. */
  readonly tileUrl: string | undefined;
  readonly tileAttribution: string;
  /** Path of the map file. */
  readonly mapFile: string | undefined;
  readonly keepDays: { readonly video: number; readonly files: number; readonly positions: number };
  readonly diskLimits: DiskLimits;
  /** Ids of the customers with the advanced report. */
  readonly advancedReportClients: readonly number[];
  /** Undefined: users sign in with passwords only. */
  readonly openid: OpenidConfig | undefined;
  /** Roles whose users must have a second factor. */
  readonly secondFactorRoles: readonly Role[];
  /** Undefined: only this machine sees metrics. */
  readonly metricsToken: string | undefined;
  /** Address of the mail server; undefined: no mail is sent. */
  readonly smtpUrl: string | undefined;
  /** Sender of mails. */
  readonly mailFrom: string;
  readonly mayCallPrivateAddresses: boolean;
  readonly allowOldFfmpeg: boolean;
  readonly ffmpegPath: string | undefined;
  readonly ffprobePath: string | undefined;
  readonly s3:
    | {
        bucket: string;
        endpoint: string | undefined;
        region: string;
        accessKeyId: string | undefined;
        secretAccessKey: string | undefined;
      }
    | undefined;
}

/**
 * Reads and checks the configuration once.
 * @param environment the process's environment
 * @param options the command line's options
 * @returns a frozen object
 * @throws StartError with a sentence that names the wrong variable
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  options: { roles?: readonly ServerRole[]; demo?: boolean } = {},
): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(present);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new StartError(`${issue?.path.join('.')} is invalid: ${issue?.message}`);
  }
  const read = parsed.data;
  if (read.DISK_FULL < read.DISK_CROWDED) {
    throw new StartError('DISK_FULL is invalid: must not be less than DISK_CROWDED');
  }
  const demo = options.demo ?? false;
  return Object.freeze({
    roles: options.roles ?? allRoles,
    demo,
    port: read.PORT,
    egtsPort: read.EGTS_PORT,
    jt808Port: read.JT808_PORT,
    osmandPort: read.OSMAND_PORT,
    egtsFrom: listed(read.EGTS_FROM),
    jt808From: listed(read.JT808_FROM),
    osmandFrom: listed(read.OSMAND_FROM),
    jt1078Port: read.JT1078_PORT,
    ftpPort: read.FTP_PORT,
    ftpPassivePorts: read.FTP_PASSIVE_PORTS,
    unitPublicHost: read.UNIT_PUBLIC_HOST,
    // The demo's passwords are public, so it listens on localhost only unless configured otherwise.
    host: read.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    dataDir: path.resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    databasePool: read.DATABASE_POOL,
    logLevel: read.LOG_LEVEL,
    clockOffsetMs: read.CLOCK_OFFSET_MS,
    trustProxy: listed(read.TRUST_PROXY) ?? [],
    publicUrl: read.PUBLIC_URL && new URL(read.PUBLIC_URL).origin,
    companyName: read.COMPANY_NAME,
    supportEmail: read.SUPPORT_EMAIL,
    tileUrl: tileUrlOf(read),
    tileAttribution: read.TILE_ATTRIBUTION,
    mapFile: read.MAP_FILE === undefined ? undefined : path.resolve(read.MAP_FILE),
    keepDays: {
      video: read.VIDEO_DAYS,
      files: read.FILES_DAYS,
      positions: read.POSITIONS_DAYS,
    },
    diskLimits: { crowded: read.DISK_CROWDED, full: read.DISK_FULL },
    advancedReportClients: read.ADVANCED_REPORT_CLIENTS,
    openid: openidOf(read),
    secondFactorRoles: read.SECOND_FACTOR_ROLES,
    metricsToken: read.METRICS_TOKEN,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM ?? read.SUPPORT_EMAIL,
    mayCallPrivateAddresses: read.WEBHOOKS_TO_PRIVATE_ADDRESSES === 'allowed',
    allowOldFfmpeg: read.ALLOW_OLD_FFMPEG === 'yes',
    ffmpegPath: read.FFMPEG_PATH,
    ffprobePath: read.FFPROBE_PATH,
    s3:
      read.S3_BUCKET === undefined
        ? undefined
        : {
            bucket: read.S3_BUCKET,
            endpoint: read.S3_ENDPOINT,
            region: read.S3_REGION,
            accessKeyId: read.S3_ACCESS_KEY_ID,
            secretAccessKey: read.S3_SECRET_ACCESS_KEY,
          },
  });
}

function tileUrlOf({ TILE_URL, MAP_FILE }: z.output<typeof Environment>): string | undefined {
  return TILE_URL === 'none' || MAP_FILE !== undefined ? undefined : TILE_URL;
}

function openidOf(read: z.output<typeof Environment>): OpenidConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, PUBLIC_URL } = read;
  if (issuer === undefined) return undefined;
  if (clientId === undefined) throw new StartError('OIDC_CLIENT_ID is needed beside OIDC_ISSUER.');
  // The provider leads back to a registered address; a request may come by any.
  if (PUBLIC_URL === undefined) throw new StartError('PUBLIC_URL is needed beside OIDC_ISSUER.');
  return {
    ...{ issuer, clientId, clientSecret: read.OIDC_CLIENT_SECRET },
    ...{ name: read.OIDC_NAME ?? new URL(issuer).host, loginClaim: read.OIDC_LOGIN_CLAIM },
  };
}

const listed = (text: string | undefined): readonly string[] | undefined =>
  text?.split(',').map((part) => part.trim());
