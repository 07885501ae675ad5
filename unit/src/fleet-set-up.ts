import { setTimeout } from 'node:timers/promises';
import { CLIENT_ID, issueTokens, Tokens } from '@ridewatch/contract/auth';
import { FleetCredentials, type FleetPlan, setUpFleet } from '@ridewatch/contract/fleet';
import * as z from 'zod/mini';

/** Attempts of a call that the server cannot carry out now: about a minute of its usual pauses. */
const ATTEMPTS = 12;
const LONGEST_PAUSE_S = 10;

/** The fleet could not be set up; the message is for the operator. */
export class SetUpError extends Error {}

/** A server and an administrator's sign-in to it. */
export interface ServerLogin {
  readonly url: string;
  readonly login: string;
  readonly password: string;
}

/** An administrator who has signed in. */
export interface Administrator {
  /**
   * Makes a call.
   * @param path with its query
   * @param body a form as it is, anything else as JSON
   * @param refused begins the message of the error when the server refuses the call
   * @returns the answer's JSON; undefined for an empty answer
   * @throws SetUpError
   */
  call(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body: FormData | object | undefined,
    refused: string,
  ): Promise<unknown>;
}

/**
 * Signs in as an administrator.
 * @throws SetUpError
 */
export async function signIn({ url, login, password }: ServerLogin): Promise<Administrator> {
  const basic = Buffer.from(`${CLIENT_ID}:`).toString('base64');
  const signedIn = await ask(url, issueTokens.path, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'password', username: login, password }),
  });
  if (!signedIn.ok) {
    throw new SetUpError(`Signing in as '${login}' failed: ${await messageOf(signedIn)}`);
  }
  const { access_token } = Tokens.parse(await signedIn.json());
  const authorization = `Bearer ${access_token}`;
  return {
    call: async (method, path, body, refused) => {
      const sent =
        body === undefined || body instanceof FormData
          ? { headers: { authorization }, ...(body && { body }) }
          : {
              headers: { authorization, 'content-type': 'application/json' },
              body: JSON.stringify(body),
            };
      const answer = await ask(url, path, { method, ...sent });
      if (!answer.ok) throw new SetUpError(`${refused}: ${await messageOf(answer)}`);
      return answer.status === 204 ? undefined : answer.json();
    },
  };
}

/**
 * Sets up a fleet; existing objects stay.
 * @returns the customers' ids, and a new credential for each unit
 * @throws SetUpError
 */
export async function setUp(
  administrator: Administrator,
  plan: FleetPlan,
): Promise<FleetCredentials> {
  const refused = 'The server refused the fleet';
  return FleetCredentials.parse(await administrator.call('POST', setUpFleet.path, plan, refused));
}

/** The credential of each unit by its device id. */
export function credentialsOf({ units }: FleetCredentials): Map<string, string> {
  return new Map(units.map(({ device_id, credential }) => [device_id, credential]));
}

// A server whose database is away says when to come again; a fleet that is being prepared waits for it.
async function ask(url: string, path: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url + path, {
      ...init,
      signal: AbortSignal.timeout(120_000),
    }).catch((cause: unknown) => {
      throw new SetUpError(`No server answers at ${url}.`, { cause });
    });
    const retryAfter = answer.headers.get('retry-after');
    if (answer.status !== 503 || retryAfter === null || attempt === ATTEMPTS) return answer;
    await setTimeout(Math.min(Number(retryAfter), LONGEST_PAUSE_S) * 1000);
  }
}

const ErrorAnswer = z.object({ message: z.string(), field: z.optional(z.string()) });

async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const parsed = z.safeParse(ErrorAnswer, body);
  if (!parsed.success) return `status ${response.status}.`;
  const { message, field } = parsed.data;
  return field === undefined ? message : `${message} (${field})`;
}
