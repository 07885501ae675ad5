import { useSyncExternalStore } from 'react';
import { createStoredValue } from '../core/stored-value.ts';
import { ru, type Texts } from './ru/catalogue.ts';

export type Language = 'ru_RU' | 'en_US';

const language = createStoredValue<Language>('ridewatch.language', (raw) =>
  raw === 'en_US' ? 'en_US' : 'ru_RU',
);
const catalogues: Partial<Record<Language, Texts>> = { ru_RU: ru };

/** Loads the texts of the chosen language; await it before the first render. */
export async function loadLanguage(): Promise<void> {
  await load(language.get());
}

/** Switches the language of all tabs, after its texts have loaded. */
export async function setLanguage(next: Language): Promise<void> {
  await load(next);
  language.set(next);
}

export function useLanguage(): Language {
  return useSyncExternalStore(language.subscribe, language.get);
}

/** The current language, for code outside of components. */
export function currentLanguage(): Language {
  return language.get();
}

/** The texts of the current language: `text.common.buses(5)`. */
export function useText(): Texts {
  return useSyncExternalStore(language.subscribe, currentText);
}

/** The texts of the current language, for code outside of components. */
export function currentText(): Texts {
  return catalogues[language.get()] ?? ru;
}

async function load(wanted: Language): Promise<void> {
  if (wanted === 'en_US' && !catalogues.en_US) {
    try {
      catalogues.en_US = (await import('./en/catalogue.ts')).en;
    } catch (error) {
      // Offline, or a file of an older build: fall back to Russian texts.
      reportError(error);
      return;
    }
  }
  document.documentElement.lang = wanted === 'en_US' ? 'en' : 'ru';
}
language.subscribe(() => {
  // Another tab switched the language; its texts may not be loaded here.
  if (!catalogues[language.get()]) void follow();
  else document.documentElement.lang = language.get() === 'en_US' ? 'en' : 'ru';
});

async function follow(): Promise<void> {
  const wanted = language.get();
  await load(wanted);
  if (catalogues[wanted] && language.get() === wanted) language.set(wanted);
}
