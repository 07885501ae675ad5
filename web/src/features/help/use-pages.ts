import { useEffect, useState } from 'react';
import type { Language } from '../../i18n/language.ts';
import { documentPages } from './address.ts';
import { type GuidePage, type PageFiles, pagesOf } from './guide.ts';
import { documents } from './protocol-documents.ts';

type LoadFiles = () => Promise<{ readonly files: PageFiles }>;

/** The pages of the guide by language. */
export const guides: Readonly<Record<Language, LoadFiles>> = {
  ru_RU: () => import('./pages-ru.ts'),
  en_US: () => import('./pages-en.ts'),
};

/** The documents of protocols as pages, for the search. */
export const loadDocuments: LoadFiles = async () => {
  const files = documentPages.map(async (name) => [`${name}.md`, await documents[name]()] as const);
  return { files: Object.fromEntries(await Promise.all(files)) };
};

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
