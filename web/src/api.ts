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
import { ApiError } from './api-error.ts';
import { onLostTry } from './connection.ts';
import { type AnswerOf, call, type InputOf } from './request.ts';
import { showToast } from './ui/toast-store.ts';

export interface Handling {
  /** The caller shows the failure itself: no toast. */
  handled?: boolean;
}
type QueryOptions<E> = Omit<
  UseQueryOptions<AnswerOf<E>, ApiError>,
  'queryKey' | 'queryFn' | 'meta'
>;
type ActionOptions<E> = Omit<
  UseMutationOptions<AnswerOf<E>, ApiError, InputOf<E>>,
  'mutationFn' | 'meta'
>;

/** The cache of what the server said. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => report(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _input, _result, mutation) => report(error, mutation.meta),
  }),
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 5_000 },
    mutations: { networkMode: 'always' },
  },
});

onLostTry(async () => {
  await call(publicSettings, {});
  await queryClient.refetchQueries({ type: 'active' });
});

/** The key under which a call's answer lies in the cache. */
export function keyOf<E extends Endpoint>(endpoint: E, input: InputOf<E>): readonly unknown[] {
  return [endpoint.path, input];
}

/**
 * Follows the answer of a reading call. A failure other than 401 is told in a toast unless `handled`.
 */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: QueryOptions<E> & Handling = {},
): UseQueryResult<AnswerOf<E>, ApiError> {
  const { handled = false, ...rest } = options;
  return useQuery<AnswerOf<E>, ApiError>({ ...rest, ...queryOf(endpoint, input, handled) });
}

/** Asks a reading call before the screen that shows its answer is there; does not reject. */
export function prefetchEndpoint<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { handled = false }: Handling = {},
): Promise<void> {
  return queryClient.prefetchQuery(queryOf(endpoint, input, handled));
}

function queryOf<E extends Endpoint>(endpoint: E, input: InputOf<E>, handled: boolean) {
  return {
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }: { signal: AbortSignal }) => call(endpoint, { ...input, signal }),
    meta: { handled },
  };
}

/** A call that changes something: `mutate(input)`. A failure other than 401 is told in a toast unless `handled`. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  options: ActionOptions<E> & Handling = {},
): UseMutationResult<AnswerOf<E>, ApiError, InputOf<E>> {
  const { handled = false, ...rest } = options;
  return useMutation<AnswerOf<E>, ApiError, InputOf<E>>({
    ...rest,
    mutationFn: (input) => call(endpoint, input),
    meta: { handled },
  });
}

function report(error: Error, meta: Record<string, unknown> | undefined): void {
  if (meta?.handled !== true) tellFailure(error);
}

/** Tells in a toast what failed, save what is told elsewhere: a lost connection, and the end of the session. */
export function tellFailure(error: Error): void {
  if (!(error instanceof ApiError)) {
    showToast({ kind: 'error', text: error.message });
    return;
  }
  // A lost connection has its own bar; 401 leads to the sign-in page.
  if (error.status === 401 || error.status === 0) return;
  void tell(error);
}

async function tell(error: ApiError): Promise<void> {
  const show = (text: string) => showToast({ kind: 'error', text: `${error.status}: ${text}` });
  // Loaded with the first failure; should that fail too, the server's own words are better than none.
  await import('./i18n/error-texts.ts').then(
    ({ errorText }) => show(errorText(error)),
    () => show(error.message),
  );
}
