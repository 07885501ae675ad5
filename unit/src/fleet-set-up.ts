import { CLIENT_ID, issueTokens, Tokens } from '@ridewatch/contract/auth';
import { FleetCredentials, type FleetPlan, setUpFleet } from '@ridewatch/contract/fleet';
import * as z from 'zod/mini';

/** The fleet could not be set up; the message is for the operator. */
export class SetUpError extends Error {}

/**
 * Signs in as an administrator and sets up a fleet; existing objects stay.
 * @returns each unit's new credential by its device id
 * @throws SetUpError
 */
export async function setUp(
  server: { url: string; login: string; password: string },
  plan: FleetPlan,
): Promise<Map<string, string>> {
  const basic = Buffer.from(`${CLIENT_ID}:`).toString('base64');
  const signedIn = await ask(server.url, issueTokens.path, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({
      grant_type: 'password',
      username: server.login,
      password: server.password,
    }),
  });
  if (!signedIn.ok) {
    throw new SetUpError(`Signing in as '${server.login}' failed: ${await messageOf(signedIn)}`);
  }
  const { access_token } = Tokens.parse(await signedIn.json());
  const answer = await ask(server.url, setUpFleet.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(plan),
  });
  if (!answer.ok) throw new SetUpError(`The server refused the fleet: ${await messageOf(answer)}`);
  const { units } = FleetCredentials.parse(await answer.json());
  return new Map(units.map(({ device_id, credential }) => [device_id, credential]));
}

async function ask(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url + path, { ...init, signal: AbortSignal.timeout(120_000) });
  } catch (cause) {
    throw new SetUpError(`No server answers at ${url}.`, { cause });
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
