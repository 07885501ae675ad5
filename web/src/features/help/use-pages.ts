import { useEffect, useState } from 'react';
import type { Language } from '../../i18n/language.ts';
import { type GuidePage, type PageFiles, pagesOf } from './guide.ts';

type LoadFiles = () => Promise<{ readonly files: PageFiles }>;

/** The pages of the guide by language. */
export const guides: Readonly<Record<Language, LoadFiles>> = {
  ru_RU: () => import('./pages-ru.ts'),
  en_US: () => import('./pages-en.ts'),
};

/** The unit interface as the only page, for the search. */
export const loadUnitInterface: LoadFiles = async () => ({
  files: { 'unit-interface.md': await import('../../../../docs/unit-interface.md') },
});

interface Pages {
  /** Undefined until they have loaded. */
  readonly pages: readonly GuidePage[] | undefined;
  /** Their code did not come. */
  readonly isLost: boolean;
}

/** Loads pages. @param load one of the functions above; undefined loads none */
export function usePages(load: LoadFiles | undefined): Pages {
  const [loaded, setLoaded] = useState<Pages & { load: LoadFiles }>();
  useEffect(() => {
    if (load === undefined) return;
    let isGone = false;
    const show = (pages: Pages['pages']) => {
      if (!isGone) setLoaded({ load, pages, isLost: pages === undefined });
    };
    load().then(
      ({ files }) => show(pagesOf(files)),
      () => show(undefined),
    );
    return () => {
      isGone = true;
    };
  }, [load]);
  return load !== undefined && loaded?.load === load ? loaded : { pages: undefined, isLost: false };
}
