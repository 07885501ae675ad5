import { ApiError } from '../../api-error.ts';
import { errorText } from '../../i18n/error-texts.ts';
import type { RouteTexts } from './texts-ru.ts';

/** Why a change did not get through, in the user's language. */
export function problemText(error: unknown, text: RouteTexts): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.status === 0) return text.networkReason;
  if (error.error === 'conflict' && error.field === 'name') return text.nameTaken;
  // Why there cannot be so many stops is said in the user's language already.
  if (error.field === 'stops') return error.message;
  return errorText({ error: error.error, message: error.message });
}
