import type { FastifyInstance } from 'fastify';
import type { CoreDeps } from './core/core-deps.ts';
import type { Authenticators } from './core/http/http.ts';
import type { Storage } from './storage/storage.ts';

/** The dependencies of a feature; made in main.ts, overridden in tests. */
export interface Deps extends CoreDeps {
  readonly storage: Storage;
}

/** A feature adds its calls to the server. */
export type Feature = (
  app: FastifyInstance,
  deps: Deps,
  auth: Authenticators,
) => Promise<void> | void;

/** A port of a unit protocol that is not HTTP. */
export interface Listener {
  /** The name in logs and metrics: `egts`. */
  readonly name: string;
  readonly port: number;
  /** Opens the port. @throws StartError when it cannot be had */
  start(): Promise<void>;
  /** Takes nothing new, waits for what is being stored, and closes. */
  stop(): Promise<void>;
}

/** A role makes its listeners from what features get; null: the configuration switches it off. */
export type MakeListener = (deps: Deps) => Listener | null;
