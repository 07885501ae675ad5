import { ApiError } from '../../core/api-error.ts';
import { errorText } from '../../i18n/error-texts.ts';
import type { RouteTexts } from './texts-ru.ts';

/** Explains in the user's language why a change failed. */
export function problemText(error: unknown, text: RouteTexts): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.status === 0) return text.networkReason;
  if (error.error === 'conflict' && error.field === 'name') return text.nameTaken;
  if (error.error === 'invalid_request' && error.field === 'valid_from') return text.foreignDay;
  // The server's messages about too many stops and distant ones are already in the user's language.
  if (error.field === 'stops' || error.field === 'confirm_far') return error.message;
  return errorText({ error: error.error, message: error.message });
}
