import path from 'node:path';
import { Role } from '@ridewatch/contract/auth';
import * as z from 'zod/mini';
import type { DiskLimits } from './disk.ts';
import { StartError } from './errors.ts';
import {
  areAddresses,
  areProxies,
  days,
  isIssuer,
  isOrigin,
  isTileAddress,
  milliseconds,
  percent,
  port,
} from './variables.ts';

export const allRoles = ['api', 'worker', 'ingest'] as const;
export type ServerRole = (typeof allRoles)[number];

/** The variables of the environment, and what each may be. */
export const Environment = z.object({
  PORT: z._default(port, 8080),
  /** 0: no port for units that speak EGTS. */
  EGTS_PORT: z._default(port, 0),
  /** Addresses whose connections of EGTS are taken; all unless given. */
  EGTS_FROM: z.optional(
    z.string().check(z.refine(areAddresses, 'must be IP addresses or ranges, by commas')),
  ),
  HOST: z.optional(z.string().check(z.minLength(1))),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  DATABASE_URL: z.optional(z.url({ protocol: /^postgres(ql)?$/ })),
  DATABASE_POOL: z._default(
    z.pipe(
      z.string().check(z.regex(/^[1-9]\d{0,2}$/, 'must be a number from 1 to 999')),
      z.transform(Number),
    ),
    10,
  ),
  LOG_LEVEL: z._default(
    z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']),
    'info',
  ),
  /** How far the process's clock is ahead of the machine's, ms: the demo and the tests live at any hour. */
  CLOCK_OFFSET_MS: z._default(milliseconds, 0),
  /** Addresses of reverse proxies whose X-Forwarded-For is trusted, separated by commas. */
  TRUST_PROXY: z.optional(
    z
      .string()
      .check(
        z.refine(
          areProxies,
          'must be IP addresses or ranges such as 10.0.0.0/8, separated by commas',
        ),
      ),
  ),
  /** Where users open the product, for links in mails. */
  PUBLIC_URL: z.optional(
    z
      .string()
      .check(
        z.refine(
          isOrigin,
          'must be an http or https address without a path, such as https://buses.example',
        ),
      ),
  ),
  COMPANY_NAME: z._default(z.string().check(z.minLength(1)), 'Ridewatch'),
  SUPPORT_EMAIL: z._default(z.email(), 'support@ridewatch.example'),
  /** Address of map tiles with {z}, {x} and {y}, or `none`: maps have a plain ground. */
  TILE_URL: z.optional(
    z
      .string()
      .check(
        z.refine(isTileAddress, 'must be `none` or an http address that holds {z}, {x} and {y}'),
      ),
  ),
  /** HTML. */
  TILE_ATTRIBUTION: z._default(
    z.string(),
    '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">© OpenStreetMap</a>',
  ),
  /** A PMTiles file with vector tiles in the schema of Protomaps; it goes before TILE_URL. */
  MAP_FILE: z.optional(z.string().check(z.minLength(1))),
  /** Retention in days, unless a customer has its own. Counts, money and audit are kept forever. */
  VIDEO_DAYS: z._default(days, 90),
  /** Merged files and exports. */
  FILES_DAYS: z._default(days, 7),
  POSITIONS_DAYS: z._default(days, 400),
  /** How full the disk may be until the oldest video is deleted, and until new data is refused, %. */
  DISK_CROWDED: z._default(percent, 0.85),
  DISK_FULL: z._default(percent, 0.98),
  /** Customers with the advanced report: ids, separated by commas. */
  ADVANCED_REPORT_CLIENTS: z._default(
    z.pipe(
      z.string().check(z.regex(/^\d{1,15}(,\d{1,15})*$/, 'must be ids separated by commas')),
      z.transform((text) => text.split(',').map(Number)),
    ),
    [20, 22],
  ),
  /** A provider of OpenID Connect that signs users in, too; https, or http on this machine. */
  OIDC_ISSUER: z.optional(
    z
      .string()
      .check(z.refine(isIssuer, 'must be an https address, or an http address of this machine')),
  ),
  OIDC_CLIENT_ID: z.optional(z.string().check(z.minLength(1))),
  /** Without it the client is a public one: PKCE alone protects the code. */
  OIDC_CLIENT_SECRET: z.optional(z.string().check(z.minLength(1))),
  /** The provider's name on the button of the sign-in page; the issuer's host unless given. */
  OIDC_NAME: z.optional(z.string().check(z.minLength(1), z.maxLength(60))),
  /** The claim that is the login of a user here. */
  OIDC_LOGIN_CLAIM: z._default(z.string().check(z.minLength(1)), 'preferred_username'),
  /** Roles whose users must have a second factor, separated by commas. */
  SECOND_FACTOR_ROLES: z._default(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            (text) => text.split(',').every((role) => Role.safeParse(role.trim()).success),
            `must be some of ${Role.options.join(', ')}, separated by commas`,
          ),
        ),
      z.transform((text) => text.split(',').map((role) => Role.parse(role.trim()))),
    ),
    [],
  ),
  /** Opens `/metrics` and all of `/readyz` to other machines, as a Bearer token. */
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  /** Mail server, `smtp://user:password@host:587`; without it no mail is sent. */
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/, hostname: /./ })),
  /** Sender of mails; SUPPORT_EMAIL unless given. */
  MAIL_FROM: z.optional(z.email()),
  /** `allowed`: webhooks may call loopback, link-local and private addresses, in a private installation. */
  WEBHOOKS_TO_PRIVATE_ADDRESSES: z._default(z.enum(['refused', 'allowed']), 'refused'),
  /** `yes`: the packaged ffmpeg of 2018 reads video outside the demo, too. */
  ALLOW_OLD_FFMPEG: z._default(z.enum(['yes', 'no']), 'no'),
  FFMPEG_PATH: z.optional(z.string().check(z.minLength(1))),
  FFPROBE_PATH: z.optional(z.string().check(z.minLength(1))),
  /** An S3-compatible store instead of the folder DATA_DIR/media. */
  S3_BUCKET: z.optional(z.string().check(z.minLength(1))),
  S3_ENDPOINT: z.optional(z.url()),
  S3_REGION: z._default(z.string(), 'us-east-1'),
  S3_ACCESS_KEY_ID: z.optional(z.string()),
  S3_SECRET_ACCESS_KEY: z.optional(z.string()),
});

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
  /** Port of EGTS; 0: none. */
  readonly egtsPort: number;
  /** Addresses and ranges whose connections of EGTS are taken; undefined: all. */
  readonly egtsFrom: readonly string[] | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databasePool: number;
  readonly logLevel: string;
  readonly clockOffsetMs: number;
  readonly trustProxy: readonly string[];
  /** Where users open the product, without a slash at its end; undefined: unknown. */
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
    // The demo's passwords are public, so it listens on localhost only unless configured otherwise.
    egtsPort: read.EGTS_PORT,
    egtsFrom: read.EGTS_FROM?.split(',').map((part) => part.trim()),
    host: read.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    dataDir: path.resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    databasePool: read.DATABASE_POOL,
    logLevel: read.LOG_LEVEL,
    clockOffsetMs: read.CLOCK_OFFSET_MS,
    trustProxy: read.TRUST_PROXY?.split(',').map((part) => part.trim()) ?? [],
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
