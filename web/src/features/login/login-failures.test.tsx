// The table of failed sign-ins (spec section 8), row by row: the status of the answer decides, whatever its code is.
import { issueTokens } from '@ridewatch/contract/auth';
import { listBuses } from '@ridewatch/contract/buses';
import { type ErrorCode, errorStatuses } from '@ridewatch/contract/errors';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../core/api-error.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { failureOf } from './sign-in.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

/** The codes with texts of ours, or none: the next field, the provider, the limit of attempts. */
const OWN: readonly string[] = [
  ...['mfa_required', 'openid_failed', 'openid_unknown_user', 'too_many_attempts'],
];
const codes = (Object.keys(errorStatuses) as ErrorCode[]).filter((code) => !OWN.includes(code));

const said = {
  fail_login: 'Login failedCheck username and password.',
  user_inactive:
    'This account is inactiveTo activate it, contact the service administrator at help@example.org.',
  user_blocked:
    'This account is blockedTo resume service, pay off the debt and contact the service administrator.',
  fail_login_network:
    'Network errorThere was a connection error to the service. Check your connection and service availability.',
  fail_login_unexpected:
    'Unexpected errorAn unexpected login error has occurred. Try to come back later.',
  token_expired: 'Session expiredSorry, your session is expired. Please, login again.',
} as const;

/** Signs in. @param before ran when all but the password is typed */
async function tryToSignIn(before: () => void = () => undefined): Promise<void> {
  const { hand } = await openScreen(server, '/login', { user: null });
  await hand.type(await screen.findByRole('textbox', { name: 'Username' }), 'owner1');
  before();
  await hand.type(screen.getByLabelText('Password'), 'secret{Enter}');
}
async function expectSaid(text: string): Promise<void> {
  const alert = await screen.findByRole('alert');
  // The address of the administrator comes with the settings.
  await waitFor(() => expect(alert).toHaveTextContent(text));
}

describe('a refused sign-in', () => {
  it.each<[ErrorCode, keyof typeof said]>([
    ['invalid_request', 'fail_login'],
    ['unsupported_grant_type', 'fail_login'],
    ['wrong_password', 'fail_login'],
    ['invalid_client', 'user_inactive'],
    ['unauthorized', 'user_inactive'],
    ['no_right', 'user_blocked'],
    ['second_factor_required', 'user_blocked'],
    ['not_found', 'fail_login_unexpected'],
    ['conflict', 'fail_login_unexpected'],
    ['unavailable', 'fail_login_unexpected'],
  ])('with the code %s says what %s does', async (code, key) => {
    server.refuse(issueTokens, code);
    await tryToSignIn();
    await expectSaid(said[key]);
  });

  it.each<[number, keyof typeof said]>([
    [400, 'fail_login'],
    [401, 'user_inactive'],
    [403, 'user_blocked'],
    [404, 'fail_login_unexpected'],
    [502, 'fail_login_unexpected'],
  ])(
    'is told by its status alone, as by a proxy that answers with a page: %i',
    async (status, key) => {
      server.answer(issueTokens, () => new Response('<h1>No</h1>', { status }));
      await tryToSignIn();
      await expectSaid(said[key]);
    },
  );

  it('without a connection says so', async () => {
    try {
      await tryToSignIn(() => server.setLink(false));
      await expectSaid(said.fail_login_network);
    } finally {
      server.setLink(true);
    }
  });

  it.each(codes)('is a row of the table, whatever its code: %s', (code) => {
    const status = errorStatuses[code];
    const rows: Readonly<Record<number, string>> = {
      ...{ 400: 'fail_login', 401: 'user_inactive', 403: 'user_blocked' },
    };
    const expected = rows[status] ?? 'fail_login_unexpected';
    expect(failureOf(new ApiError(status, code, 'It was refused.'))).toBe(expected);
  });
});

it.each<ErrorCode>(['invalid_grant', 'unauthorized', 'invalid_request', 'no_right'])(
  'a session whose renewal is refused has expired: %s',
  async (code) => {
    server.refuse(listBuses, 'unauthorized');
    server.refuse(issueTokens, code);
    await openScreen(server, '/buses');
    await expectSaid(said.token_expired);
  },
);
