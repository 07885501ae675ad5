import { type Language, useLanguage } from './language.ts';

/**
 * Makes a hook for the texts of a room, which load with the room.
 * @returns a hook that returns the texts of the current language
 */
export function textsOf<Texts>(texts: Readonly<Record<Language, Texts>>): () => Texts {
  return () => texts[useLanguage()];
}
