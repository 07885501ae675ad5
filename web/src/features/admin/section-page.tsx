import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { useAddress } from '../../page/use-address.ts';
import { useIsWide } from '../../ui/breakpoints.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { BackIcon, drawn } from '../../ui/icons.tsx';
import { useLock } from '../../ui/use-lock.ts';
import type { AdminAddress } from './address.ts';
import styles from './admin-screen.module.css';
import { AuditExport } from './audit-export.tsx';
import { Drawer } from './drawer.tsx';
import { FiltersBar, queryOf } from './filters-bar.tsx';
import { ImportTool } from './import/import-tool.tsx';
import { RowsTable } from './rows-table.tsx';
import type { AdminContext, Section } from './section.ts';
import { useAdminText } from './use-admin-text.ts';
import { type Rows, readCountsAgain, useRows } from './use-rows.ts';
import { useSelection } from './use-selection.ts';

const AddIcon = drawn('M12 5v14M5 12h14');

const SeveralBar = lazyComponent(async () => (await import('./several-bar.tsx')).SeveralBar);

interface SectionPageProps<Row extends { readonly id: number }> {
  section: Section<Row>;
  context: AdminContext;
  /** How many rows there are without search and filters; null: unknown. */
  count: number | null;
  /** The row whose drawer is open, or `new`. */
  id: string | undefined;
  isPhone: boolean;
}

/** A section: search, filters and table, and the drawer beside it; on phones one of both. */
export function SectionPage<Row extends { readonly id: number }>(props: SectionPageProps<Row>) {
  const { section, context, count, id, isPhone } = props;
  const text = useAdminText();
  const { search, note } = useAddress<AdminAddress>();
  const filters = section.filters(context);
  const by = section
    .properties(context)
    .find(({ sort }) => sort !== undefined && sort === search.sort)?.sort;
  const isDescending = search.order === 'desc';
  const found = queryOf(filters, search);
  const query = {
    ...found,
    ...(by !== undefined && { sortBy: by, sortType: isDescending ? 'DESC' : 'ASC' }),
  };
  const rows = useRows(section, query);
  // A filter's first value is no search of the user.
  const isFiltered = search.q !== undefined || filters.some(({ key }) => search[key] !== undefined);
  const reset = () =>
    note({
      q: undefined,
      ...Object.fromEntries(filters.map(({ key }) => [key, undefined])),
    });
  const onReset = isFiltered ? reset : undefined;
  // A total that the menu does not have yet; one that it never gets is asked for once.
  const unknownTotal =
    isFiltered || rows.isOld || count === null || rows.total === count ? undefined : rows.total;
  useEffect(() => {
    if (unknownTotal !== undefined) void readCountsAgain();
  }, [unknownTotal]);
  const chosen = useSelection(rows, section.list, query);
  // A phone has no boxes to choose by; rows that were chosen in a wider window stay chosen.
  const isLocked = useLock() !== undefined;
  const selection = section.hasSeveral && !isPhone && !isLocked ? chosen : undefined;
  const isBesideDrawer = id !== undefined;
  const isWide = useIsWide();
  const isNarrow = isPhone || (isBesideDrawer && !isWide);
  // Only administrators create customers.
  const mayLoad = section.name !== 'customers' || context.user.role === 'ADMIN';
  return (
    <>
      {/* A phone has room for one of both. Each keeps what is typed and open in it. */}
      <div className={styles.content} hidden={isPhone && isBesideDrawer}>
        <Head {...{ section, count, isPhone }}>
          {mayLoad && <ImportTool section={section.name} {...{ isPhone, isNarrow }} />}
          {section.name === 'audit' && <AuditExport filters={found} isNarrow={isNarrow} />}
        </Head>
        <FiltersBar
          {...{ filters, context, onReset }}
          placeholder={text.search[section.name]}
          isBesideDrawer={isBesideDrawer}
          // The number of all is beside the name, and an empty list says so itself.
          found={isFiltered || rows.total !== (count ?? 0) ? rows.total : undefined}
          mostCounted={section.mostCounted}
        >
          {section.Top && <section.Top />}
        </FiltersBar>
        <Body {...{ rows, onReset }} none={section.none} NoneNext={section.NoneNext}>
          <RowsTable
            {...{ section, context, rows, isPhone, selection }}
            total={rows.total ?? 0}
            openId={Number(id)}
            isBesideDrawer={isBesideDrawer}
            sort={{ by, isDescending }}
            onSort={(next) =>
              note({ sort: next, order: next === by && !isDescending ? 'desc' : undefined })
            }
          />
        </Body>
        {/* Below the rows: above them it would move the next row away from under the pointer. */}
        {chosen.rows.size > 0 && (
          <SeveralBar
            context={context}
            selection={chosen}
            section={section.name}
            total={rows.total ?? 0}
          />
        )}
      </div>
      {isBesideDrawer && <Drawer {...{ section, context, rows, id }} />}
    </>
  );
}

interface HeadProps<Row extends { readonly id: number }>
  extends Pick<SectionPageProps<Row>, 'section' | 'count' | 'isPhone'> {
  children: ReactNode;
}

function Head<Row extends { readonly id: number }>(props: HeadProps<Row>) {
  const { section, count, isPhone, children } = props;
  const text = useAdminText();
  const navigate = useNavigate();
  const locked = useLock();
  const { name } = section;
  const go = (params: { section?: string; id?: string }) =>
    void navigate({
      to: '/admin/{-$section}/{-$id}',
      params: { section: params.section, id: params.id },
      search: params.section === undefined ? {} : (search) => search,
    });
  return (
    <header className={styles.head}>
      {isPhone && (
        <IconButton label={text.menu} onClick={() => go({})}>
          <BackIcon />
        </IconButton>
      )}
      <h1>{text.sections[name]}</h1>
      {count !== null && <small>{formatNumber(count)}</small>}
      <span className={styles.tools}>
        {children}
        {section.create && (
          <Button
            kind="primary"
            locked={locked}
            aria-label={text.add[name as keyof typeof text.add]}
            data-row-id="new"
            onClick={() => go({ section: name, id: 'new' })}
          >
            {isPhone ? <AddIcon /> : text.add[name as keyof typeof text.add]}
          </Button>
        )}
      </span>
    </header>
  );
}

interface BodyProps<Row> {
  rows: Rows<Row>;
  /** Absent: nothing is searched or filtered. */
  onReset: (() => void) | undefined;
  none: Section<never>['none'];
  NoneNext: Section<never>['NoneNext'];
  children: ReactNode;
}

function Body<Row>({ rows, onReset, none, NoneNext, children }: BodyProps<Row>) {
  const text = useAdminText();
  const { retry } = useText().common;
  if (rows.isError) {
    return (
      <EmptyState title={text.failedTitle} text={text.failedText}>
        <Button isBusy={rows.isFetching} onClick={rows.refetch}>
          {retry}
        </Button>
      </EmptyState>
    );
  }
  if (rows.total === undefined) return <div className={styles.waiting} aria-busy="true" />;
  if (rows.total > 0) return children;
  if (onReset === undefined) {
    return (
      <EmptyState title={text.emptyTitle} text={none?.(text) ?? text.emptyText}>
        {NoneNext && <NoneNext />}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={text.noneTitle} text={text.noneText}>
      <Button onClick={onReset}>{text.reset}</Button>
    </EmptyState>
  );
}
