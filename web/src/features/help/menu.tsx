import { Link } from '@tanstack/react-router';
import { useSession } from '../../core/session.ts';
import { SearchBox } from '../../ui/search-box.tsx';
import { documentPages } from './address.ts';
import { Found } from './found.tsx';
import type { GuidePage } from './guide.ts';
import styles from './help-screen.module.css';
import { useHelpText } from './use-help-text.ts';
import { useQuery } from './use-query.ts';

interface MenuProps {
  /** Undefined until they have loaded. */
  pages: readonly GuidePage[] | undefined;
  /** The name of the open page. */
  open: string | undefined;
}

/** The list of all help, and the search of the guide. */
export function Menu({ pages, open }: MenuProps) {
  const text = useHelpText();
  const isSignedIn = useIsSignedIn();
  return (
    <div className={styles.menu}>
      {open === undefined && (
        // Above the guide before sign-in there is no title.
        <h1 className={isSignedIn ? 'phone-hidden' : undefined}>{text.title}</h1>
      )}
      {/* The calls of the API have a search of their own, with the same key in the address. */}
      {open === 'api' ? <List {...{ pages, open }} query="" /> : <Searched {...{ pages, open }} />}
    </div>
  );
}

function Searched({ pages, open }: MenuProps) {
  const text = useHelpText();
  const [query, setQuery] = useQuery();
  return (
    <>
      <search>
        <SearchBox
          className={styles.search}
          label={text.search}
          value={query}
          onChange={setQuery}
        />
      </search>
      <List {...{ pages, open, query }} />
    </>
  );
}

function List({ pages, open, query }: MenuProps & { query: string }) {
  const text = useHelpText();
  const mayProgram = useIsSignedIn();
  const isSearch = query.trim() !== '';
  return (
    <nav aria-label={text.title}>
      {isSearch ? (
        pages && <Found {...{ pages, query, mayProgram }} />
      ) : (
        <>
          <h2>{text.screens}</h2>
          {pages?.map(({ name, title }) => (
            <Entry key={name} name={name} title={title} isOpen={name === open} />
          ))}
        </>
      )}
      {mayProgram && (
        <>
          <h2>{text.programs}</h2>
          <Entry
            name="api"
            title={isSearch ? text.searchCalls(query.trim()) : text.api}
            // The calls have a search of their own.
            query={isSearch ? query : undefined}
            isOpen={open === 'api'}
          />
          {documentPages.map((name) => (
            <Entry key={name} {...{ name }} title={text.documents[name]} isOpen={open === name} />
          ))}
        </>
      )}
    </nav>
  );
}

/** Whether sign-in is complete: a user who still has to set up a second factor reads the guide as a guest. */
function useIsSignedIn(): boolean {
  const user = useSession()?.user;
  return user !== undefined && !user.must_set_up_second_factor;
}

interface EntryProps {
  name: string;
  title: string;
  query?: string | undefined;
  isOpen: boolean;
}

function Entry({ name, title, query, isOpen }: EntryProps) {
  return (
    <Link
      to="/help/{-$page}"
      params={{ page: name }}
      search={query === undefined ? {} : { q: query }}
      className={styles.entry}
      {...(isOpen && { 'aria-current': 'page' as const })}
    >
      {title}
    </Link>
  );
}
