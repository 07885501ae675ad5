// Authentication. A token only names a session. The database knows whether the session is open and what its user may
// see. One statement reads this for all sessions of the process, and the cache keeps it for at most KEEP_MS.
import type { Role } from '@ridewatch/contract/auth';
import type { FastifyRequest } from 'fastify';
import { Cache } from '../core/cache.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { AskedCall, Authenticators } from '../core/http/http.ts';
import { createJoinedReads } from '../core/joined-reads.ts';
import { loadKeys, type TokenKeys } from '../core/signing-keys.ts';
import type { KnownUnit } from '../core/viewer.ts';
import type { Deps } from '../deps.ts';
import { createAccountCache, FORGET_MS, KEEP_MS, MOST_KEPT } from './account-cache.ts';
import {
  type Account,
  checkAccountOpen,
  listSessionAccounts,
  mustSetUpSecondFactor,
  viewerOf,
} from './accounts.ts';
import { checkScope, createApiKeys, hasApiKey, type KeyAccount } from './api-keys.ts';
import { readAccessToken, type TokenClaims } from './tokens.ts';
import {
  createRefusalNotes,
  findUnitByCredential,
  listUnitsOfCredentials,
  type UnitOfCredential,
} from './unit-credentials.ts';

/** Creates the authenticator of one process. The first one of an installation creates its signing key. */
export async function createAuthenticators(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
): Promise<Authenticators> {
  const { config, database, clock } = deps;
  const keys = await loadKeys(database.db, 'access_token', clock.nowMs());
  const findSessionId = createTokenReader(keys, clock);
  const sessions = createAccountCache(clock, (ids) => listSessionAccounts(database.db, ids));
  const programs = createApiKeys(deps);
  const findUnit = createUnitCache(deps);
  const findOfSession = async (sessionId: string): Promise<Account | undefined> => {
    const account = await sessions.find(sessionId);
    if (account && mustSetUpSecondFactor(account, config.secondFactorRoles)) {
      // Another process may just have set it up: a page that knows would be led back and forth.
      sessions.forget([sessionId]);
      return sessions.find(sessionId);
    }
    return account;
  };
  const findAccount = async (request: FastifyRequest): Promise<Found | undefined> => {
    if (hasApiKey(request)) {
      const found = await programs.findOfRequest(request);
      return found && { account: found.account, sessionId: found.holderId };
    }
    const sessionId = await findSessionId(request);
    const account = sessionId === undefined ? undefined : await findOfSession(sessionId);
    return sessionId === undefined || account === undefined ? undefined : { account, sessionId };
  };
  const findOfHolder = async (sessionId: string): Promise<Account | KeyAccount | undefined> =>
    (await findOfSession(sessionId)) ?? (await programs.find(sessionId));
  const checkMay = (account: Account | KeyAccount, call: AskedCall): void => {
    checkAccountOpen(account);
    if ('scopes' in account) {
      checkScope(account, call.scope);
    } else {
      checkSecondFactor(account, config.secondFactorRoles, call);
      checkView(account, call);
    }
  };
  const viewer: Authenticators['viewer'] = async (request, call) => {
    const found = await findAccount(request);
    if (found === undefined) throw unauthorized();
    const { account, sessionId } = found;
    checkMay(account, call);
    if ('scopes' in account) await programs.use(account);
    return viewerOf(account, sessionId);
  };
  const viewerAgain: Authenticators['viewerAgain'] = async ({ sessionId }, call) => {
    const account = await findOfHolder(sessionId);
    if (account === undefined) throw unauthorized();
    checkMay(account, call);
    return viewerOf(account, sessionId);
  };
  const viewerOfHolder: Authenticators['viewerOfHolder'] = async (holder, request) => {
    const { userId, sessionId } = holder;
    const asker = request?.headers.authorization && (await findAccount(request));
    if (asker && asker.account.userId !== userId) throw notFound();
    const account = await findOfHolder(sessionId);
    if (account?.userId !== userId) {
      throw new AppError('bad_signature', 'The address of this video is no longer valid.');
    }
    checkMay(account, SIGNED_CALL);
    return viewerOf(account, sessionId);
  };
  return {
    keys,
    nowMs: clock.nowMs,
    forget: (ids) => {
      sessions.forget(ids);
      programs.forget(ids);
    },
    viewer,
    viewerAgain,
    viewerOfHolder,
    viewerOfEither: async (request, hash, readAddress) => {
      const isAlone = hash === undefined && request.headers.authorization !== undefined;
      const isByToken = isAlone || (await findAccount(request)) !== undefined;
      return isByToken ? viewer(request, SIGNED_CALL) : viewerOfHolder(readAddress());
    },
    unit: async (request): Promise<KnownUnit> => {
      const credential = readBearer(request);
      const unit = credential === undefined ? undefined : await findUnit(credential);
      if (unit === undefined) throw unauthorized();
      return unit;
    },
  };
}

/** The call that signed addresses open. */
const SIGNED_CALL = { method: 'GET', scope: 'video' } as const;

function checkSecondFactor(account: Account, roles: readonly Role[], call: AskedCall): void {
  if (call.beforeSecondFactor || !mustSetUpSecondFactor(account, roles)) return;
  throw new AppError('second_factor_required', 'Your role needs two-factor sign-in. Set it up.');
}

function checkView({ viewedBy }: Account, { method, inView }: AskedCall): void {
  if (viewedBy === null || method === 'GET' || inView) return;
  throw new AppError('read_only_view', 'A view as another user changes nothing.');
}

interface Found {
  readonly account: Account | KeyAccount;
  readonly sessionId: string;
}

function readBearer(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,4096})$/i.exec(request.headers.authorization ?? '')?.[1];
}

function unauthorized(): AppError {
  return new AppError('unauthorized', 'The token, key or credential is missing or not valid.');
}

/** Most cached tokens of a process. */
const MOST_TOKENS = 20_000;

// Verifies the signature of a token once, not for each of its thousand requests. The cache is keyed by the whole
// header, so that a hit needs no parsing.
function createTokenReader(
  keys: TokenKeys,
  clock: Deps['clock'],
): (request: FastifyRequest) => Promise<string | undefined> {
  const checked = new Cache<string, TokenClaims>({ most: MOST_TOKENS });
  return async (request) => {
    const header = request.headers.authorization ?? '';
    const nowMs = clock.nowMs();
    const known = checked.get(header);
    if (known !== undefined) return known.expiresMs > nowMs ? known.sessionId : undefined;
    const token = readBearer(request);
    const claims = token === undefined ? undefined : await readAccessToken(keys, token, nowMs);
    if (claims === undefined) return undefined;
    checked.set(header, claims);
    return claims.sessionId;
  };
}

interface KeptUnit {
  known: UnitOfCredential;
  readAtMs: number;
}

// A thousand units that send every ten seconds would cost a hundred lookups a second. Instead one statement rereads all
// recently used credentials. Only valid ones are cached, so that guesses do not fill the memory. An expiry is compared
// with the clock at every request.
function createUnitCache({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): (credential: string) => Promise<KnownUnit | undefined> {
  const kept = new Cache<string, KeptUnit>({ most: MOST_KEPT, age: { keepMs: FORGET_MS, clock } });
  const noteRefused = createRefusalNotes(database.db);
  // The first requests of a unit may be concurrent; they share one lookup.
  const readUnit = createJoinedReads(async (credential: string) => {
    const nowMs = clock.nowMs();
    const known = await findUnitByCredential(database.db, credential, nowMs);
    if (known === undefined) await noteRefused(credential, nowMs);
    return known;
  });
  let refreshing: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    const readAtMs = clock.elapsedMs();
    const entries = kept.entries();
    const ids = entries.map(([, { known }]) => known.credentialId);
    const units = await listUnitsOfCredentials(database.db, ids, clock.nowMs());
    for (const [credential, entry] of entries) {
      const known = units.get(entry.known.credentialId);
      if (known === undefined) kept.delete(credential, entry);
      else Object.assign(entry, { known, readAtMs });
    }
  };
  const read = async (credential: string): Promise<KnownUnit | undefined> => {
    const readAtMs = clock.elapsedMs();
    const known = await readUnit(credential);
    if (known !== undefined) kept.set(credential, { known, readAtMs });
    return known?.unit;
  };
  return async (credential) => {
    const found = kept.get(credential);
    if (found === undefined) return read(credential);
    // A use restarts the entry's age.
    kept.set(credential, found);
    if (clock.elapsedMs() - found.readAtMs >= KEEP_MS) {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      });
      await refreshing;
    }
    const known = kept.get(credential)?.known;
    return known === undefined || clock.nowMs() >= known.endsMs ? read(credential) : known.unit;
  };
}
