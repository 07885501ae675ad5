// The variables of the environment.
import { Role } from '@ridewatch/contract/auth';
import * as z from 'zod/mini';
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
  portRange,
} from './variables.ts';

const addresses = z.optional(
  z.string().check(z.refine(areAddresses, 'must be IP addresses or ranges, by commas')),
);

/** The variables of the environment, and what each may be. */
export const Environment = z.object({
  PORT: z._default(port, 8080),
  /** Ports of unit protocols; 0: none. */
  EGTS_PORT: z._default(port, 20_332),
  JT808_PORT: z._default(port, 20_808),
  /** A port beside the product's own, which takes the OsmAnd form under a path. */
  OSMAND_PORT: z._default(port, 0),
  /** Addresses from where each protocol is taken; all unless given. */
  EGTS_FROM: addresses,
  JT808_FROM: addresses,
  OSMAND_FROM: addresses,
  /** The port of live video by JT/T 1078; 0: none. */
  JT1078_PORT: z._default(port, 1078),
  /** A port of FTP, by which registrars upload video; 0: none. */
  FTP_PORT: z._default(port, 20_021),
  FTP_PASSIVE_PORTS: z._default(portRange, { first: 20_100, last: 20_199 }),
  /** The address that units reach, where a command names it; the one of this machine unless given. */
  UNIT_PUBLIC_HOST: z.optional(
    z
      .string()
      .check(z.regex(/^[a-z\d.-]{1,253}$/i, 'must be an IPv4 address or the name of a host')),
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
  /** The address at which users open the product, for links in mails. */
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
