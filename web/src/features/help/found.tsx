import { Link } from '@tanstack/react-router';
import { type Language, useLanguage } from '../../i18n/language.ts';
import type { GuidePage } from './guide.ts';
import styles from './help-screen.module.css';
import { type Hit, sameIn, searchGuide } from './search.ts';
import { useHelpText } from './use-help-text.ts';
import { guides, loadDocuments, usePages } from './use-pages.ts';

/** With fewer places than this, the search goes on in what is not loaded yet. */
const FEW = 3;
const others: Readonly<Record<Language, Language>> = { ru_RU: 'en_US', en_US: 'ru_RU' };
const codes: Readonly<Record<Language, string>> = { ru_RU: 'ru', en_US: 'en' };

interface FoundProps {
  pages: readonly GuidePage[];
  query: string;
  /** The documents of protocols are searched, too. */
  mayProgram: boolean;
}

/**
 * The places of the guide that have the words of a query. Where they are few, also those that have them in the other
 * language, and those of the documents of protocols.
 */
export function Found({ pages, query, mayProgram }: FoundProps) {
  const text = useHelpText();
  const other = others[useLanguage()];
  const own = searchGuide(pages, query);
  const isFew = own.length < FEW;
  const guide = usePages(isFew ? guides[other] : undefined);
  const units = usePages(isFew && mayProgram ? loadDocuments : undefined);
  const isOwn = ({ page, id }: Hit) => own.some((one) => one.page === page && one.id === id);
  const translated = sameIn(pages, searchGuide(guide.pages ?? [], query));
  const further = translated.filter((hit) => !isOwn(hit));
  const forUnits = searchGuide(units.pages ?? [], query);
  const isNone = own.length + further.length + forUnits.length === 0;
  const waits =
    isFew && [guide, mayProgram && units].some((one) => one && !one.pages && !one.isLost);
  return (
    <>
      {(own.length > 0 || isNone) && <h2>{text.screens}</h2>}
      <Hits {...{ hits: own, query }} />
      {further.length > 0 && <h2>{text.foundInOther}</h2>}
      <Hits {...{ hits: further, query }} quotes={codes[other]} />
      {forUnits.length > 0 && <h2>{text.foundForUnits}</h2>}
      <Hits {...{ hits: forUnits, query }} quotes="en" />
      <div role="status" aria-busy={waits || undefined}>
        {isNone && !waits && (
          <>
            <p>{text.none}</p>
            <p>{text.noneText}</p>
          </>
        )}
      </div>
    </>
  );
}

interface HitsProps {
  hits: readonly Hit[];
  query: string;
  /** The language of the quotes, where it is not that of the page. */
  quotes?: string | undefined;
}

function Hits({ hits, query, quotes }: HitsProps) {
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
      <small lang={quotes}>
        {excerpt.map(({ place, text: piece, isFound }) =>
          isFound ? <mark key={place}>{piece}</mark> : piece,
        )}
      </small>
    </Link>
  ));
}
