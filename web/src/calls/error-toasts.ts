// Toasts of failed calls, once per cause. They load with the first failure.
import type { ErrorCode } from '@ridewatch/contract/errors';
import type { ApiError } from '../core/api-error.ts';
import { errorText } from '../i18n/error-texts.ts';
import { currentLanguage } from '../i18n/language.ts';
import { showToast } from '../ui/toast-store.ts';

/** A cause has ended when a call did not fail with it for this long, ms: longer than screens wait between two reads. */
const READ_MS = 90_000;
/** The same for other calls: longer than edits wait before they are sent again. A press after that shows it again. */
const OTHER_MS = 8_000;

/** Codes whose meaning says all that the server's message does. */
const SAY_ALL: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['no_right', 'not_found', 'internal', 'unavailable', 'request_timeout'] as const),
  ...([
    'insufficient_storage',
    'video_off',
    'user_inactive',
    'too_many_attempts',
    'bad_signature',
  ] as const),
]);

/** The calls that fail now, by what their toast said, each with the timer that ends it. */
const causes = new Map<string, Map<string, ReturnType<typeof setTimeout>>>();

/**
 * Shows a failure as 'status: message' (spec section 8) in the language of the page, and what else is known of it;
 * nothing while the same failure of this or another call lasts.
 * @param name identifies the call
 */
export function toastFailure(error: ApiError, name: string, isRead: boolean): void {
  const text = `${error.status}: ${error.message}`;
  const isKnown = (causes.get(text)?.size ?? 0) > 0;
  endFailure(name);
  const calls = causes.get(text) ?? new Map();
  causes.set(text, calls);
  calls.set(
    name,
    setTimeout(() => endFailure(name), isRead ? READ_MS : OTHER_MS),
  );
  if (isKnown) return;
  const meaning = errorText(error);
  // No failure: the page says all the time that nothing can be changed.
  if (error.error === 'read_only_view') {
    showToast({ kind: 'error', text: meaning });
    return;
  }
  // The server speaks English, and knows more about the cause than a code says.
  const [first, second] =
    currentLanguage() === 'en_US' ? [error.message, meaning] : [meaning, error.message];
  const isWhole = first === second || (first === meaning && SAY_ALL.has(error.error));
  showToast({
    ...{ kind: 'error', text: `${error.status}: ${first}` },
    more: isWhole ? undefined : second,
  });
}

/** Notes that a call does not fail any more. */
export function endFailure(name: string): void {
  for (const [text, calls] of causes) {
    clearTimeout(calls.get(name));
    calls.delete(name);
    if (calls.size === 0) causes.delete(text);
  }
}

/** Forgets all failures: the next one shows its toast. */
export function forgetFailures(): void {
  for (const calls of causes.values()) for (const timer of calls.values()) clearTimeout(timer);
  causes.clear();
}
