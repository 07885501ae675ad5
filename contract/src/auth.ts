import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, MAX_TEXT_LENGTH, Moment } from './primitives.ts';

/** The fixed OAuth client of the web application; its secret is empty. */
export const CLIENT_ID = 'ridewatch-web';

export const Role = z.enum(['ADMIN', 'INTEGRATOR', 'CUSTOMER', 'OPERATOR']);
export type Role = z.infer<typeof Role>;

/** Why a session ended (spec section 4); `session_ended`: on another device, or by an administrator. */
export const LogoutReason = z.enum([
  'user_command',
  'token_expired',
  'session_ended',
  'user_inactive',
  'user_blocked',
]);
export type LogoutReason = z.infer<typeof LogoutReason>;

/** A login, a password or a token as input. */
export const Credential = z.string().check(z.minLength(1), z.maxLength(MAX_TEXT_LENGTH));

export const TokenRequest = z.object({
  grant_type: z.string().check(z.maxLength(MAX_TEXT_LENGTH)),
  username: z.optional(Credential),
  password: z.optional(Credential),
  /** Of an authenticator app, or a recovery code; after `mfa_required`. */
  code: z.optional(Credential),
  refresh_token: z.optional(Credential),
});
export type TokenRequest = z.infer<typeof TokenRequest>;

export const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds. */
  expires_in: z.int(),
});
export type Tokens = z.infer<typeof Tokens>;

export const issueTokens = endpoint({
  method: 'POST',
  path: '/oauth/token',
  summary: 'Signs in (grant_type=password) or renews (grant_type=refresh_token)',
  access: 'public',
  body: TokenRequest,
  bodyType: 'form',
  // Anybody may call this: a form of four texts, each character of at most twelve bytes.
  maxBodyBytes: 64 * 1024,
  response: Tokens,
  errors: [
    'invalid_client',
    'invalid_request',
    'invalid_grant',
    'session_ended',
    'mfa_required',
    'unsupported_grant_type',
    'user_inactive',
    'user_blocked',
    'too_large',
    'unsupported_media_type',
    'too_many_attempts',
    'unavailable',
  ],
});

/** A customer in headings and menus. */
export const Customer = z.object({
  id: Id,
  name: z.string(),
  patronymic: z.nullable(z.string()),
  surname: z.nullable(z.string()),
  /** 1 active, 2 trial, 3 blocked, 4 archived. */
  status: z.int(),
  enabled: z.boolean(),
});
export type Customer = z.infer<typeof Customer>;

export const Me = z.object({
  id: Id,
  login: z.string(),
  role: Role,
  /** The customer whose data the user works with; null for administrators. */
  client_id: z.nullable(Id),
  integrator_clients: z.array(Id),
  name: z.nullable(z.string()),
  surname: z.nullable(z.string()),
  status: z.int(),
  enabled: z.boolean(),
  can_edit: z.boolean(),
  /** The role needs a second factor, and it is not set up: nothing else is open. */
  must_set_up_second_factor: z.boolean(),
  /** Login of the administrator who views the product as this user; null: the user itself. */
  viewed_by: z.nullable(z.string()),
  /** When that view ends at the latest; null: the user itself. */
  viewed_until: z.nullable(Moment),
  /** Whether the advanced report is open to the user. */
  advanced_report: z.boolean(),
  /** Their customers; null for administrators: all. */
  advanced_report_clients: z.nullable(z.array(Id)),
  /** Company name, support address: configuration of the installation. */
  company: z.object({ name: z.string(), support_email: z.string() }),
});
export type Me = z.infer<typeof Me>;

export const me = endpoint({
  method: 'GET',
  path: '/api/auth/me',
  summary: 'The signed-in user and the rights that screens go by',
  access: 'user',
  beforeSecondFactor: true,
  response: Me,
  errors: ['unauthorized'],
});

/**
 * After this long without another answer a visible screen asks whether its session is open, ms. The server knows of an
 * end after 2.5 s, and the screen looks every 0.5 s: 5 s together.
 */
export const SESSION_CHECK_MS = 1_900;

export const checkSession = endpoint({
  method: 'GET',
  path: '/api/auth/session',
  summary: 'Whether the session is open: its end and the rights of its user are known within 5 s',
  access: 'user',
  beforeSecondFactor: true,
  errors: ['unauthorized'],
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Ends this session',
  access: 'user',
  beforeSecondFactor: true,
  inView: true,
  errors: ['unauthorized'],
});

/** The settings that sign-in pages show before authentication. */
export const PublicSettings = z.object({
  company_name: z.string(),
  support_email: z.string(),
  /** True on an installation that runs the simulated fleet: the sign-in page names the demo's logins. */
  demo: z.boolean(),
  /** No administrator exists yet: the sign-in page says where the link stands that makes one. */
  needs_setup: z.boolean(),
  /** Whether the server sends mail: links for a new password go by mail, too. */
  mail_available: z.boolean(),
  /** Name of the provider of OpenID Connect that signs in, too; null: there is none. */
  openid: z.nullable(z.string()),
  /** Address of map tiles, with {z}, {x} and {y}; null: a plain ground. */
  tile_url: z.nullable(z.string()),
  /** Attribution of the tiles or of the map file, HTML. */
  tile_attribution: z.string(),
  /** Version of the map file, in the address of its bytes; null: there is none. */
  map_version: z.nullable(z.string()),
});
export type PublicSettings = z.infer<typeof PublicSettings>;

export const publicSettings = endpoint({
  method: 'GET',
  path: '/api/settings',
  summary: 'Company name, support address, where maps come from',
  access: 'public',
  response: PublicSettings,
  errors: [],
});
