import { ApiError } from './api-error.ts';
import { showToast } from './ui/toast-store.ts';

let toasts: Promise<typeof import('./i18n/error-toasts.ts')> | undefined;

/**
 * Shows the failure of a call in a toast, once per cause. A lost connection has a bar of its own, and 401 leads to the
 * sign-in page.
 * @param name identifies the call
 */
export function reportFailure(error: unknown, name: string, isRead: boolean): void {
  if (!(error instanceof ApiError) || error.status === 401 || error.status === 0) return;
  toasts ??= import('./i18n/error-toasts.ts');
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
