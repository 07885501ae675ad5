import type { LiveFailReason } from '@ridewatch/contract/fail-reasons';
import { useEffect, useState } from 'react';
import { useLanguage } from '../i18n/language.ts';

type Texts = typeof import('./reason-texts.ts');
let loaded: Texts | undefined;

/** Loads the texts of reasons; few fragments need them. */
export async function loadReasons(): Promise<Texts> {
  loaded = await import('./reason-texts.ts');
  return loaded;
}

/**
 * A reason in the current language.
 * @param detail what the unit said about it
 * @returns undefined without a reason, and until its text has loaded
 */
export function useReasonText(
  reason: LiveFailReason | null | undefined,
  detail: string | null | undefined,
): string | undefined {
  const language = useLanguage();
  const [texts, setTexts] = useState(loaded);
  const isMissing = Boolean(reason) && !texts;
  useEffect(() => {
    if (!isMissing) return;
    let isGone = false;
    // Without a connection the state alone is shown; the next fragment tries again.
    loadReasons().then(
      (found) => isGone || setTexts(found),
      (error: unknown) => reportError(error),
    );
    return () => {
      isGone = true;
    };
  }, [isMissing]);
  return reason && texts ? texts.reasonText(reason, detail, language) : undefined;
}

/** A reason in the current language, as a part of a text; nothing until it has loaded. */
export function ReasonText(of: { reason: LiveFailReason | null; detail: string | null }) {
  return useReasonText(of.reason, of.detail) ?? null;
}
