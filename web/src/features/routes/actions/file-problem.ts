import { ApiError } from '../../../core/api-error.ts';
import { problemText } from '../problem.ts';
import type { RouteTexts } from '../texts-ru.ts';

/** Explains what is wrong with a route file: our text, and the server's message in the user's language. */
export function fileProblem(error: unknown, text: RouteTexts): string {
  if (!(error instanceof ApiError)) return problemText(error, text);
  if (error.error === 'too_large') return text.fileTooLarge;
  if (error.status !== 400 && error.status !== 415) return problemText(error, text);
  return `${text.fileFormat}: ${error.message}`;
}
