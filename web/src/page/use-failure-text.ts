import { useEffect, useState } from 'react';
import { ApiError } from '../core/api-error.ts';
import { type Language, useLanguage } from '../i18n/language.ts';
import { useWaitingText } from './use-waiting-text.ts';

/** What failures mean in a language. It loads with the first failure, as the toasts of failures do. */
type MeaningOf = (error: ApiError, language: Language) => string;

/**
 * Says why something could not be loaded, in the language of the page.
 * @param error the failure; null: none
 * @returns of a refusal `404: Not found`, and its status alone until the meaning has loaded
 */
export function useFailureText(error: unknown): string {
  const text = useWaitingText();
  const language = useLanguage();
  const [meaningOf, setMeaningOf] = useState<MeaningOf>();
  const isRefusal = error instanceof ApiError && error.status > 0 && error.status < 500;
  // The server speaks English, and may know more about the cause than its code says.
  const isForeign = isRefusal && language !== 'en_US';
  useEffect(() => {
    if (!isForeign) return;
    let isGone = false;
    const use = (found: MeaningOf) => isGone || setMeaningOf(() => found);
    import('../i18n/error-texts.ts').then(
      ({ errorText }) => use(errorText),
      () => use(({ message }) => message),
    );
    return () => {
      isGone = true;
    };
  }, [isForeign]);
  if (!(error instanceof ApiError) || error.status === 0) return text.failedText;
  if (error.status >= 500) return text.serverFailed;
  if (!isForeign) return `${error.status}: ${error.message}`;
  return meaningOf ? `${error.status}: ${meaningOf(error, language)}` : `${error.status}`;
}
