// Calls about the row of the open drawer, which somebody else may have deleted.
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { queryClient, type useAction } from '../../calls/api.ts';
import { reportFailure } from '../../calls/failures.ts';
import { type AnswerOf, call, type InputOf } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { isGone } from './is-gone.ts';
import { isRowKey } from './use-rows.ts';

type IsQuiet = (error: ApiError) => boolean;

/**
 * Makes a call about the row of the open drawer. If the row is gone, its drawer says so, and no toast.
 * @param send makes the call; it shows no toast for the failures that it is given
 * @param isTold failures that are told in another way
 * @throws ApiError
 */
export async function callOfRow<Answer>(
  send: (isQuiet: IsQuiet) => Promise<Answer>,
  isTold: IsQuiet = () => false,
): Promise<Answer> {
  try {
    return await send((error) => isGone(error) || isTold(error));
  } catch (error) {
    // The call may name something else that is gone.
    const isUntold = error instanceof ApiError && isGone(error) && !isTold(error);
    if (isUntold && !(await isOpenRowGone())) reportFailure(error, 'a row', false);
    throw error;
  }
}

/** As `useAction`, for a call about the row of the open drawer: see `callOfRow`. */
export function useRowAction<E extends Endpoint>(
  endpoint: E,
  options: Parameters<typeof useAction<E>>[1] = {},
): UseMutationResult<AnswerOf<E>, ApiError, InputOf<E>> {
  return useMutation<AnswerOf<E>, ApiError, InputOf<E>>({
    ...options,
    mutationFn: (input) =>
      callOfRow((isQuiet) => call(endpoint, { ...input, isQuiet }), input.isQuiet),
  });
}

// The row of the open drawer is read again: only the server knows.
async function isOpenRowGone(): Promise<boolean> {
  const open = {
    type: 'active',
    predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => isRowKey(queryKey),
  } as const;
  await queryClient.refetchQueries(open);
  return queryClient
    .getQueryCache()
    .findAll(open)
    .some(({ state }) => isGone(state.error));
}
