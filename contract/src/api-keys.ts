// Keys by which programs of a customer read what the customer sees.
import * as z from 'zod/mini';
import { ApiScope } from './api-scope.ts';
import { endpoint } from './endpoint.ts';
import { Named, pageFields, pageOf } from './paging.ts';
import { Day, Id, IdText, Moment, Text } from './primitives.ts';

/** Most keys of a customer. */
export const MAX_API_KEYS = 50;
/** Most calls of a key in a minute, to one process. */
export const MAX_KEY_CALLS = 300;

export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  /** The customer whose data it reads. */
  client: Named,
  scopes: z.array(ApiScope),
  /** The user who made it, by login. */
  created_by: Named,
  created_at: Moment,
  /** Null: it does not expire. */
  expires_at: z.nullable(Moment),
  /** Within a minute; null: never used. */
  last_used_at: z.nullable(Moment),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/keys',
  summary:
    "API keys that are not revoked: one's own customer's, or those of all that one administers",
  access: 'user',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['name', 'client', 'created_at', 'last_used_at'])),
    clientId: z.optional(IdText),
  }),
  response: pageOf(ApiKey),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

const params = z.object({ keyId: IdText });

export const findApiKey = endpoint({
  method: 'GET',
  path: '/api/keys/{keyId}',
  summary: 'An API key',
  access: 'user',
  params,
  response: ApiKey,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/keys',
  summary: 'Makes an API key that reads what a customer sees; its secret is shown this once',
  access: 'user',
  body: z.object({
    client_id: Id,
    name: Text,
    scopes: z.array(ApiScope).check(z.minLength(1), z.maxLength(ApiScope.options.length)),
    /** Its last day, in Moscow; null: it does not expire. */
    last_day: z._default(z.nullable(Day), null),
  }),
  response: z.object({
    key: ApiKey,
    /** `rwk_…`, sent as a Bearer token. */
    secret: z.string(),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api/keys/{keyId}',
  summary: 'Ends an API key at once',
  access: 'user',
  params,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
