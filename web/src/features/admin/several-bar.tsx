import { MOST_SEVERAL } from '@ridewatch/contract/admin-several';
import { useEffect, useState } from 'react';
import { ApiError } from '../../core/api-error.ts';
import { formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import type { AdminContext, Section } from './section.ts';
import { SeveralActions, type Wanted, type Would } from './several-actions.tsx';
import styles from './several-bar.module.css';
import { SeveralPreview } from './several-preview.tsx';
import { useAdminText } from './use-admin-text.ts';
import { readAgain } from './use-rows.ts';
import type { Selection } from './use-selection.ts';
import { useSeveralText } from './use-several-text.ts';

interface SeveralBarProps {
  section: Section<never>['name'];
  context: AdminContext;
  selection: Selection<{ readonly id: number }>;
  /** Rows that are found. */
  total: number;
}

/** The effect of a change, until it is confirmed. */
interface Asked extends Wanted {
  /** The rows that were chosen when it was asked; others may be chosen meanwhile. */
  readonly rows: ReadonlyMap<number, { readonly id: number }>;
  readonly would: Would;
}

/** Offers what can be done with the chosen rows: all of them, or none. It is said first what would change. */
export function SeveralBar({ section, context, selection, total }: SeveralBarProps) {
  const text = useSeveralText();
  const all = useAdminText();
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const idsOf = (rows: Asked['rows']) => [...rows.keys()];
  const count = selection.rows.size;
  useEffect(
    () => () => {
      // The button that had the focus is gone with the bar.
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>('[data-row] input[type=checkbox]')?.focus();
    },
    [],
  );
  const attempt = async (rows: Asked['rows'], work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setAsked(undefined);
      if (error instanceof ApiError) tell(error, rows);
      await readAgain();
    } finally {
      setBusy(false);
    }
  };
  const ask = (wanted: Wanted) => {
    const { rows } = selection;
    return attempt(rows, async () =>
      setAsked({ ...wanted, rows, would: await wanted.change(idsOf(rows), true) }),
    );
  };
  const confirm = ({ change, rows }: Asked) =>
    attempt(rows, async () => {
      const { changed } = await change(idsOf(rows), false);
      showToast({ kind: 'done', text: text.done(changed, rows.size) });
      setAsked(undefined);
      selection.clear();
      await readAgain();
    });
  const tell = (error: ApiError, rows: Asked['rows']): void => {
    const [, place, field] = /^ids\.(\d+)(?:\.(.+))?$/.exec(error.field ?? '') ?? [];
    if (place === undefined) return;
    const row = rows.get(idsOf(rows)[Number(place)] ?? 0);
    const why = all.problems[`${error.error}.${field}`] ?? all.refused;
    showToast({ kind: 'error', text: text.refused(row ? nameOfRow(row) : ''), more: why });
  };
  return (
    <section className={styles.bar} aria-label={text.title}>
      <strong role="status">
        {text.chosen(formatNumber(count))}
        {count === MOST_SEVERAL &&
          total > MOST_SEVERAL &&
          `. ${text.most(formatNumber(MOST_SEVERAL))}`}
      </strong>
      <SeveralActions
        {...{ section, context, isBusy }}
        rows={[...selection.rows.values()]}
        onWanted={(wanted) => void ask(wanted)}
      />
      <Button kind="quiet" onClick={selection.clear}>
        {text.clear}
      </Button>
      {asked && (
        <SeveralPreview
          title={asked.title}
          note={asked.note}
          rows={asked.would.changed_ids.map((id) => {
            const row = asked.rows.get(id) ?? { id };
            const name = nameOfRow(row);
            return { id, text: asked.lineOf?.(row, name, asked.would) ?? name };
          })}
          areLines={asked.lineOf !== undefined}
          of={asked.rows.size}
          isBusy={isBusy}
          onSure={() => void confirm(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}

const nameOfRow = (row: object): string =>
  String(
    ('login' in row && row.login) ||
      ('name' in row && row.name) ||
      ('device_id' in row && row.device_id) ||
      '',
  );
