import { listGroups } from '@ridewatch/contract/admin-groups';
import { listUsers } from '@ridewatch/contract/admin-users';
import { MAX_PAGE_SIZE } from '@ridewatch/contract/paging';
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { DayField } from '../../forms/day-field.tsx';
import { PickField } from '../../forms/pick-field.tsx';
import { Select } from '../../forms/select.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { useAddress } from '../../page/use-address.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import type { AdminAddress } from './address.ts';
import styles from './filters-bar.module.css';
import type { Option } from './form-values.ts';
import type { AdminContext, Filter, ListQuery } from './section.ts';
import { useAdminText } from './use-admin-text.ts';

const ANY = '';
/** Pause after the last key before a search is sent, ms. */
const PAUSE_MS = 250;

/** The number of filters that have room in a line with the search. */
const MOST_BESIDE_SEARCH = 4;

interface FiltersBarProps {
  filters: readonly Filter[];
  context: AdminContext;
  placeholder: string;
  /** A drawer leaves little room: the search has a line of its own. */
  isBesideDrawer: boolean;
  /** How many rows were found; undefined: nothing to say of that, or not known yet. */
  found: number | undefined;
  /** The list counts no more rows; undefined: it counts all. */
  mostCounted: number | undefined;
  /** Absent: nothing is searched or filtered. */
  onReset: (() => void) | undefined;
  /** Figures above them. */
  children: ReactNode;
}

/** Search and filters above a table; the address has them. */
export function FiltersBar(props: FiltersBarProps) {
  const { filters, context, placeholder, isBesideDrawer, found, mostCounted } = props;
  const { onReset, children } = props;
  const text = useAdminText();
  const { search, note } = useAddress<AdminAddress>();
  const shown = filters.filter(({ kind }) => kind !== 'id');
  return (
    <div
      className={styles.bar}
      data-filters={shown.length}
      data-lines={isBesideDrawer || shown.length > MOST_BESIDE_SEARCH || undefined}
    >
      {children}
      <div className={styles.first}>
        <PausedSearch
          label={placeholder}
          value={search.q ?? ''}
          onSearch={(q) => note({ q: q || undefined })}
        />
        {onReset && (
          <Button kind="quiet" onClick={onReset}>
            {text.reset}
          </Button>
        )}
        <span className={styles.found} role="status">
          {found !== undefined &&
            (found === mostCounted ? text.foundMany : text.found)(formatNumber(found))}
        </span>
      </div>
      {shown.map((filter) => {
        const value = chosenOf(filter, search) ?? ANY;
        const isWord = filter.options !== undefined && filter.kind === undefined && value !== ANY;
        return (
          <div key={filter.key} className={styles.filter} data-word={isWord || undefined}>
            <FilterField
              {...{ filter, context, value }}
              client={search.client}
              onChange={(next) => note({ [filter.key]: addressOf(filter, next) })}
            />
          </div>
        );
      })}
    </div>
  );
}

interface FilterFieldProps {
  filter: Filter;
  context: AdminContext;
  /** The customer of the other filter. */
  client: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

function FilterField({ filter, context, client, value, onChange }: FilterFieldProps) {
  const text = useAdminText();
  const { label, kind, options = [], any } = filter;
  if (kind === 'day') {
    return (
      <div className={styles.day}>
        <span aria-hidden="true">{label}</span>
        <DayField
          label={label}
          day={value || undefined}
          today={context.today}
          last={context.today}
          onDay={onChange}
        />
      </div>
    );
  }
  if (kind === 'client') {
    const clients = context.clients.map(({ id, name }) => ({ value: `${id}`, label: name }));
    return <PickFilter {...{ label, value, onChange }} options={clients} />;
  }
  if (kind === 'route') return <RouteFilter {...{ label, value, onChange, client }} />;
  if (kind === 'user') return <UserFilter {...{ label, value, onChange }} />;
  if (kind === 'pick') return <PickFilter {...{ label, value, onChange, options }} />;
  const chosen = options.find((one) => one.value === value);
  return (
    <Select
      {...{ label, value, onChange }}
      options={[{ value: ANY, label: any ?? `${label}: ${text.all}` }, ...options]}
      // Words for no choice name the filter, and so do words for any other.
      shown={chosen && any === undefined ? `${label}: ${chosen.label}` : undefined}
    />
  );
}

interface PickFilterProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}

function PickFilter({ label, value, options, onChange }: PickFilterProps) {
  const text = useAdminText();
  const [typed, setTyped] = useState<string>();
  return (
    <PickField
      {...{ label, options }}
      placeholder={`${label}: ${text.all}`}
      value={typed ?? value}
      onChange={(next) => {
        const isTyping = next.startsWith('?');
        setTyped(isTyping ? next : undefined);
        if (!isTyping) onChange(next);
      }}
    />
  );
}

type RouteFilterProps = Omit<PickFilterProps, 'options'> & Pick<FilterFieldProps, 'client'>;

/** Routes of one customer, or of all with the customer's name. */
function RouteFilter({ client, ...field }: RouteFilterProps) {
  const ofClient = client !== undefined && /^\d+$/.test(client) && { clientId: Number(client) };
  const { data } = useEndpoint(listGroups, { query: { ...ofClient, perPage: MAX_PAGE_SIZE } });
  const options = (data?.items ?? []).map(({ id, name, client: owner }) => ({
    ...{ value: `${id}`, name },
    label: client === undefined ? `${name} · ${owner.name}` : name,
  }));
  return <PickFilter {...field} options={options} />;
}

function UserFilter(field: Omit<PickFilterProps, 'options'>) {
  const { data } = useEndpoint(listUsers, { query: { perPage: MAX_PAGE_SIZE } });
  const options = (data?.items ?? []).map(({ id, login }) => ({ value: `${id}`, label: login }));
  return <PickFilter {...field} options={options} />;
}

/** In the address of a filter that begins with a choice: none. */
export const ALL = 'all';

function chosenOf(
  { key, initial }: Filter,
  search: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const value = search[key] ?? initial;
  return initial !== undefined && value === ALL ? undefined : value;
}

const addressOf = ({ initial }: Filter, value: string): string | undefined =>
  value === initial ? undefined : value || (initial === undefined ? undefined : ALL);

/** The query of a list, as the address names it. */
export function queryOf(
  filters: readonly Filter[],
  search: Readonly<Record<string, string | undefined>>,
): ListQuery {
  const pairs = filters.flatMap((filter) => {
    const value = chosenOf(filter, search);
    const isKnown =
      filter.options === undefined
        ? /^[\d-]+$/.test(value ?? '')
        : filter.options.some((one) => one.value === value);
    return value !== undefined && isKnown ? [[filter.query, value]] : [];
  });
  return { ...(search.q && { search: search.q }), ...Object.fromEntries(pairs) };
}

interface PausedSearchProps {
  label: string;
  value: string;
  onSearch: (value: string) => void;
}

/** A search that is sent after a pause. */
function PausedSearch({ label, value, onSearch }: PausedSearchProps) {
  const text = useAdminText();
  const [typed, setTyped] = useState(value);
  const [seen, sent] = [useRef(value), useRef(value)];
  useEffect(() => {
    const isNew = value !== seen.current;
    seen.current = value;
    if (isNew && value !== sent.current) {
      // The address has another search by a link, by Back or by a reset of the filters.
      sent.current = value;
      setTyped(value);
      return;
    }
    if (typed === value) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      onSearch(typed);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onSearch, seen, sent]);
  // As wide as the words in it, so that none of them is cut.
  const width = { '--words': `${label.length}ch` } as CSSProperties;
  return (
    <div className={styles.search} style={width}>
      <SearchField {...{ label }} clearLabel={text.clearSearch} value={typed} onChange={setTyped} />
    </div>
  );
}
