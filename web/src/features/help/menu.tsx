import { Link } from '@tanstack/react-router';
import { useSession } from '../../core/session.ts';
import { SearchBox } from '../../ui/search-box.tsx';
import type { GuidePage } from './guide.ts';
import styles from './help-screen.module.css';
import { type Hit, searchGuide } from './search.ts';
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
  return (
    <div className={styles.menu}>
      {open === undefined && <h1>{text.title}</h1>}
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
  const user = useSession()?.user;
  return (
    <nav aria-label={text.title}>
      <h2>{text.screens}</h2>
      {query.trim() === ''
        ? pages?.map(({ name, title }) => (
            <Entry key={name} name={name} title={title} isOpen={name === open} />
          ))
        : pages && <Hits hits={searchGuide(pages, query)} query={query} />}
      {user && !user.must_set_up_second_factor && (
        <>
          <h2>{text.programs}</h2>
          <Entry name="api" title={text.api} isOpen={open === 'api'} />
          <Entry name="unit-interface" title={text.units} isOpen={open === 'unit-interface'} />
        </>
      )}
    </nav>
  );
}

function Entry({ name, title, isOpen }: { name: string; title: string; isOpen: boolean }) {
  return (
    <Link
      to="/help/{-$page}"
      params={{ page: name }}
      search={{}}
      className={styles.entry}
      {...(isOpen && { 'aria-current': 'page' as const })}
    >
      {title}
    </Link>
  );
}

function Hits({ hits, query }: { hits: readonly Hit[]; query: string }) {
  const text = useHelpText();
  if (hits.length === 0) {
    return (
      <div role="status">
        <p>{text.none}</p>
        <p>{text.noneText}</p>
      </div>
    );
  }
  return hits.map(({ page: { name, title }, id, heading, excerpt }) => (
    <Link
      key={`${name}#${id}`}
      to="/help/{-$page}"
      params={{ page: name }}
      // The search stays while the user looks through what it found.
      search={{ q: query }}
      hash={id}
      activeOptions={{ includeHash: true }}
      className={styles.hit}
    >
      <b>{title}</b>
      {heading !== undefined && <span>{heading}</span>}
      <small>
        {excerpt.map(({ place, text: piece, isFound }) =>
          isFound ? <mark key={place}>{piece}</mark> : piece,
        )}
      </small>
    </Link>
  ));
}
