import { publicSettings } from '@ridewatch/contract/auth';
import type { Endpoint } from '@ridewatch/contract/endpoint';
import {
  MutationCache,
  QueryCache,
  QueryClient,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { ApiError, isAwayStatus } from '../core/api-error.ts';
import { createRetry, retryWhileLost } from '../core/connection.ts';
import { showToast } from '../ui/toast-store.ts';
import { type AnswerOf, call, type InputOf } from './request.ts';

interface Quiet {
  /** Whether a failure shows no toast, because the page tells it in another way. */
  isQuiet?: (error: ApiError) => boolean;
}
type QueryOptions<E> = Omit<
  UseQueryOptions<AnswerOf<E>, ApiError>,
  'queryKey' | 'queryFn' | 'meta'
>;
type ActionOptions<E> = Omit<
  UseMutationOptions<AnswerOf<E>, ApiError, InputOf<E>>,
  'mutationFn' | 'meta'
>;

/** The cache of the server's answers. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: report }),
  mutationCache: new MutationCache({ onError: report }),
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 5_000 },
    mutations: { networkMode: 'always' },
  },
});

retryWhileLost(async () => {
  await call(publicSettings, {});
  await queryClient.refetchQueries({ type: 'active' });
});

/** Reads again what is shown and failed while the server was away; each such failure plans it. */
const readAgain = createRetry(async () => {
  // A hidden tab waits until it is shown.
  if (document.visibilityState === 'hidden') return readAgain();
  await queryClient.refetchQueries(
    { type: 'active', predicate: ({ state }) => isAway(state.error) },
    { cancelRefetch: false },
  );
});

/** The cache key of a call's answer. */
export function keyOf<E extends Endpoint>(endpoint: E, input: InputOf<E>): readonly unknown[] {
  return [endpoint.path, input];
}

/** Caches the answer to a change as what an endpoint says now. An earlier read that is under way does not replace it. */
export function cacheAnswer<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  answer: AnswerOf<E>,
): void {
  const queryKey = keyOf(endpoint, input);
  void queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, answer);
}

/** Changes a part of a cached answer, if there is one. A read that is under way begins again, as it may lack the change. */
export function changeCached<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  change: (before: AnswerOf<E>) => AnswerOf<E>,
): void {
  const queryKey = keyOf(endpoint, input);
  queryClient.setQueryData<AnswerOf<E>>(queryKey, (before) => before && change(before));
  if (queryClient.isFetching({ queryKey, exact: true }) > 0) {
    void queryClient.refetchQueries({ queryKey, exact: true });
  }
}

/** Reads an endpoint; the component renders again when the answer changes. Shows failures in a toast. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: QueryOptions<E> & Quiet = {},
): UseQueryResult<AnswerOf<E>, ApiError> {
  const { isQuiet, ...rest } = options;
  return useQuery<AnswerOf<E>, ApiError>({ ...rest, ...queryOf(endpoint, input, isQuiet) });
}

/** Reads an endpoint into the cache before a screen needs the answer. Never rejects. */
export function prefetchEndpoint<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): Promise<void> {
  return queryClient.prefetchQuery(queryOf(endpoint, input));
}

function queryOf<E extends Endpoint>(endpoint: E, input: InputOf<E>, isQuiet?: Quiet['isQuiet']) {
  return {
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }: { signal: AbortSignal }) => call(endpoint, { ...input, signal, isQuiet }),
  };
}

/** Returns `mutate(input)` for an endpoint that changes something. Shows failures in a toast. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  options: ActionOptions<E> = {},
): UseMutationResult<AnswerOf<E>, ApiError, InputOf<E>> {
  return useMutation<AnswerOf<E>, ApiError, InputOf<E>>({
    ...options,
    mutationFn: (input) => call(endpoint, input),
  });
}

const isAway = (error: Error | null): boolean =>
  error instanceof ApiError && isAwayStatus(error.status);

// Failures of calls are shown where they are made, in request.ts.
function report(error: Error): void {
  if (isAway(error)) readAgain();
  if (!(error instanceof ApiError)) showToast({ kind: 'error', text: error.message });
}
