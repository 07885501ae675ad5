import { Link, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { useAddress } from '../../page/use-address.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { type DocumentPage, type HelpAddress, type ProgramPage, programPages } from './address.ts';
import { Blocks } from './blocks.tsx';
import styles from './help-screen.module.css';
import { Menu } from './menu.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { documents } from './protocol-documents.ts';
import type { HelpTexts } from './texts-ru.ts';
import { useHelpText } from './use-help-text.ts';
import { guides, usePages } from './use-pages.ts';

const programs: Readonly<Record<ProgramPage, ComponentType>> = {
  api: lazyComponent(async () => (await import('./api-page.tsx')).ApiPage, Missing),
  'unit-interface': documentOf('unit-interface'),
  egts: documentOf('egts'),
  jt808: documentOf('jt808'),
  osmand: documentOf('osmand'),
  'egts-out': documentOf('egts-out'),
};

function documentOf(name: DocumentPage) {
  return lazyComponent(async () => {
    const [{ DocumentPage: Page }, { blocks }] = await Promise.all([
      import('./document-page.tsx'),
      documents[name](),
    ]);
    return () => <Page {...{ name, blocks }} />;
  }, Missing);
}

/** The users' guide with its search, and the interfaces for programs. */
export function HelpScreen() {
  const text = useHelpText();
  const isPhone = useIsPhone();
  const { page: named } = useParams({ strict: false });
  const { pages, isLost } = usePages(guides[useLanguage()]);
  const shown = named ?? (isPhone ? undefined : 'help');
  const page = pages?.find(({ name }) => name === shown);
  const program = programPages.find((name) => name === shown);
  const Program = program && programs[program];
  const { search } = useAddress<HelpAddress>();
  useTitle(page?.title ?? titleOf(program, text));
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

/** The name of a page for authors of programs in the browser's tab; that of the help where none is open. */
function titleOf(program: ProgramPage | undefined, text: HelpTexts): string {
  if (program === undefined) return text.title;
  return program === 'api' ? text.api : text.documents[program];
}

/** Takes the place of pages until they have loaded. */
function Missing({ isLost }: { isLost: boolean }) {
  return isLost && <NotLoaded />;
}
