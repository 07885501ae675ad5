import type { FastifyInstance } from 'fastify';
import type { CoreDeps } from './core/core-deps.ts';
import type { Authenticators } from './core/http/http.ts';
import type { Storage } from './storage/storage.ts';

/** Everything a feature works with; made in main.ts, overridden in tests. */
export interface Deps extends CoreDeps {
  readonly storage: Storage;
}

/** A feature adds its calls to the server. */
export type Feature = (
  app: FastifyInstance,
  deps: Deps,
  auth: Authenticators,
) => Promise<void> | void;
