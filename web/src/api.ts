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
import { retryWhileLost } from './connection.ts';
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

/** The cache of the server's answers. */
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

retryWhileLost(async () => {
  await call(publicSettings, {});
  await queryClient.refetchQueries({ type: 'active' });
});

/** The cache key of a call's answer. */
export function keyOf<E extends Endpoint>(endpoint: E, input: InputOf<E>): readonly unknown[] {
  return [endpoint.path, input];
}

/**
 * Reads an endpoint; the component renders again when the answer changes. Shows failures other than 401 in a toast,
 * unless `handled`.
 */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: QueryOptions<E> & Handling = {},
): UseQueryResult<AnswerOf<E>, ApiError> {
  const { handled = false, ...rest } = options;
  return useQuery<AnswerOf<E>, ApiError>({ ...rest, ...queryOf(endpoint, input, handled) });
}

/** Reads an endpoint into the cache before a screen needs the answer. Never rejects. */
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

/**
 * Returns `mutate(input)` for an endpoint that changes something. Shows failures other than 401 in a toast, unless
 * `handled`.
 */
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
  if (meta?.handled !== true) showFailure(error);
}

/** Shows a failure in a toast, except a lost connection and the end of the session, which are shown elsewhere. */
export function showFailure(error: Error): void {
  if (!(error instanceof ApiError)) {
    showToast({ kind: 'error', text: error.message });
    return;
  }
  // A bar shows a lost connection; 401 leads to the sign-in page.
  if (error.status === 401 || error.status === 0) return;
  void showError(error);
}

async function showError(error: ApiError): Promise<void> {
  const show = (text: string) => showToast({ kind: 'error', text: `${error.status}: ${text}` });
  // The texts load with the first failure. If that fails too, show the server's own message.
  await import('./i18n/error-texts.ts').then(
    ({ errorText }) => show(errorText(error)),
    () => show(error.message),
  );
}
