import { type Language, useLanguage } from './language.ts';

/**
 * Makes the hook that gives texts of a room, which are loaded with that room.
 * @returns a hook: the texts in the current language
 */
export function textsOf<Texts>(texts: Readonly<Record<Language, Texts>>): () => Texts {
  return () => texts[useLanguage()];
}
