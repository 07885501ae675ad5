import { Link, useLocation, useParams } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { type Language, useLanguage } from '../../i18n/language.ts';
import { useAddress } from '../../page/use-address.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { type HelpAddress, type ProgramPage, programPages } from './address.ts';
import { Blocks } from './blocks.tsx';
import { type GuidePage, type PageFiles, pagesOf } from './guide.ts';
import styles from './help-screen.module.css';
import { Menu } from './menu.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { useHelpText } from './use-help-text.ts';

const loadFiles: Readonly<Record<Language, () => Promise<{ files: PageFiles }>>> = {
  ru_RU: () => import('./pages-ru.ts'),
  en_US: () => import('./pages-en.ts'),
};

const programs: Readonly<Record<ProgramPage, ComponentType>> = {
  api: lazyComponent(async () => (await import('./api-page.tsx')).ApiPage, Missing),
  'unit-interface': lazyComponent(
    async () => (await import('./unit-interface.tsx')).UnitInterface,
    Missing,
  ),
};

/** The users' guide with its search, and the interfaces for programs. */
export function HelpScreen() {
  const text = useHelpText();
  const isPhone = useIsPhone();
  const { page: named } = useParams({ strict: false });
  const { pages, isLost } = useGuide();
  const shown = named ?? (isPhone ? undefined : 'help');
  const page = pages?.find(({ name }) => name === shown);
  const program = programPages.find((name) => name === shown);
  const Program = program && programs[program];
  const { search } = useAddress<HelpAddress>();
  const hash = useLocation({ select: (location) => location.hash });
  useTitle(page?.title ?? text.title);
  useEffect(() => {
    // The router looks for the heading when it has changed the address: a page that loads only then has none yet.
    if (page !== undefined && hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [page, hash]);
  if (isPhone && shown === undefined) {
    return (
      <>
        <Menu pages={pages} open={undefined} />
        <Missing isLost={isLost} />
      </>
    );
  }
  return (
    <div className={styles.page}>
      {!isPhone && <Menu pages={pages} open={shown} />}
      <article
        className={styles.content}
        key={shown}
        // It scrolls by itself, and a page may hold nothing else for the keyboard.
        tabIndex={isPhone ? undefined : 0}
        aria-busy={(pages === undefined && !isLost) || undefined}
      >
        {isPhone && (
          <Link
            to="/help/{-$page}"
            params={{ page: undefined }}
            // A search of the guide goes on; that of the calls is over.
            search={shown === 'api' ? {} : search}
            className={styles.back}
          >
            ← {text.toAll}
          </Link>
        )}
        {Program && <Program />}
        {!Program && <Missing isLost={isLost} />}
        {page && <Blocks blocks={page.blocks} />}
        {pages && !page && !Program && <EmptyState title={text.unknown} text={text.unknownText} />}
      </article>
    </div>
  );
}

/** Takes the place of pages until they have loaded. */
function Missing({ isLost }: { isLost: boolean }) {
  return isLost && <NotLoaded />;
}

interface Guide {
  /** Undefined until they have loaded. */
  readonly pages: readonly GuidePage[] | undefined;
  /** Their code did not come. */
  readonly isLost: boolean;
}

/** The pages of the guide in the current language. */
function useGuide(): Guide {
  const language = useLanguage();
  const [guide, setGuide] = useState<Guide & { language: Language }>();
  useEffect(() => {
    let isGone = false;
    const show = (pages: Guide['pages']) => {
      if (!isGone) setGuide({ language, pages, isLost: pages === undefined });
    };
    loadFiles[language]().then(
      ({ files }) => show(pagesOf(files)),
      () => show(undefined),
    );
    return () => {
      isGone = true;
    };
  }, [language]);
  return guide?.language === language ? guide : { pages: undefined, isLost: false };
}
