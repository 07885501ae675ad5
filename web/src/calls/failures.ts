import { ApiError } from '../core/api-error.ts';
import { showToast } from '../ui/toast-store.ts';

let toasts: Promise<typeof import('./error-toasts.ts')> | undefined;

/**
 * Shows the failure of a call in a toast, once per cause. A lost connection has a bar of its own; 401 and a blocked
 * customer lead to the sign-in page, which says why; a missing second factor leads to its page.
 * @param name identifies the call
 */
export function reportFailure(error: unknown, name: string, isRead: boolean): void {
  if (!(error instanceof ApiError) || isToldElsewhere(error)) return;
  toasts ??= import('./error-toasts.ts');
  toasts.then(
    ({ toastFailure }) => toastFailure(error, name, isRead),
    () => {
      toasts = undefined;
      showToast({ kind: 'error', text: `${error.status}: ${error.message}` });
    },
  );
}

/** Notes that a call was answered, so that its next failure is a new one. */
export function noteAnswer(name: string): void {
  toasts?.then(
    ({ endFailure }) => endFailure(name),
    () => undefined,
  );
}

const isToldElsewhere = ({ status, error }: ApiError): boolean =>
  status === 401 || status === 0 || error === 'user_blocked' || error === 'second_factor_required';
