import { Link, useParams } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { type Language, useLanguage } from '../../i18n/language.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { Blocks } from './blocks.tsx';
import { type GuidePage, hasWords, type PageFiles, pagesOf } from './guide.ts';
import styles from './help-screen.module.css';
import { useHelpText } from './use-help-text.ts';
import { useQuery } from './use-query.ts';

const loadFiles: Readonly<Record<Language, () => Promise<{ files: PageFiles }>>> = {
  ru_RU: () => import('./pages-ru.ts'),
  en_US: () => import('./pages-en.ts'),
};

/** Pages for authors of programs, which are no part of the guide. */
const programs: Readonly<Record<string, ComponentType>> = {
  api: lazyComponent(async () => (await import('./api-page.tsx')).ApiPage),
  'unit-interface': lazyComponent(async () => (await import('./unit-interface.tsx')).UnitInterface),
};

/** The users' guide with its search, and the interfaces for programs. */
export function HelpScreen() {
  const text = useHelpText();
  const isPhone = useIsPhone();
  const { page: named } = useParams({ strict: false });
  const pages = useGuide();
  const shown = named ?? (isPhone ? undefined : 'help');
  const page = pages?.find(({ name }) => name === shown);
  const Program = shown === undefined ? undefined : programs[shown];
  useTitle(page?.title ?? text.title);
  if (isPhone && shown === undefined) return <Menu pages={pages} open={undefined} />;
  return (
    <div className={styles.page}>
      {!isPhone && <Menu pages={pages} open={shown} />}
      <article
        className={styles.content}
        key={shown}
        // It scrolls by itself, and a page may hold nothing else for the keyboard.
        tabIndex={isPhone ? undefined : 0}
        aria-busy={pages === undefined || undefined}
      >
        {isPhone && (
          <Link to="/help/{-$page}" params={{ page: undefined }} className={styles.back}>
            ← {text.toAll}
          </Link>
        )}
        {Program && <Program />}
        {page && <Blocks blocks={page.blocks} />}
        {pages && !page && !Program && <EmptyState title={text.unknown} text={text.unknownText} />}
      </article>
    </div>
  );
}

function Menu({
  pages,
  open,
}: {
  pages: readonly GuidePage[] | undefined;
  open: string | undefined;
}) {
  const text = useHelpText();
  const [query, setQuery] = useQuery();
  const found = pages?.filter(({ words }) => hasWords(words, query)) ?? [];
  return (
    <div className={styles.menu}>
      {open === undefined && <h1>{text.title}</h1>}
      <search>
        <SearchBox
          className={styles.search}
          label={text.search}
          value={query}
          onChange={setQuery}
        />
      </search>
      <nav aria-label={text.title}>
        <h2>{text.screens}</h2>
        {found.map(({ name, title }) => (
          <Entry key={name} name={name} title={title} isOpen={name === open} query={query} />
        ))}
        {pages && found.length === 0 && <p role="status">{text.none}</p>}
        <h2>{text.programs}</h2>
        <Entry name="api" title={text.api} isOpen={open === 'api'} query="" />
        <Entry
          name="unit-interface"
          title={text.units}
          isOpen={open === 'unit-interface'}
          query=""
        />
      </nav>
    </div>
  );
}

interface EntryProps {
  name: string;
  title: string;
  isOpen: boolean;
  /** The search stays while the user looks through what it found. */
  query: string;
}

function Entry({ name, title, isOpen, query }: EntryProps) {
  return (
    <Link
      to="/help/{-$page}"
      params={{ page: name }}
      search={query === '' ? {} : { q: query }}
      className={styles.entry}
      {...(isOpen && { 'aria-current': 'page' as const })}
    >
      {title}
    </Link>
  );
}

/** The pages of the guide in the current language; undefined until they have loaded. */
function useGuide(): readonly GuidePage[] | undefined {
  const language = useLanguage();
  const [loaded, setLoaded] = useState<{ language: Language; pages: readonly GuidePage[] }>();
  useEffect(() => {
    let isGone = false;
    void loadFiles[language]().then(({ files }) => {
      if (!isGone) setLoaded({ language, pages: pagesOf(files) });
    });
    return () => {
      isGone = true;
    };
  }, [language]);
  return loaded?.language === language ? loaded.pages : undefined;
}
