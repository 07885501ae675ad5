import { MOST_SEVERAL } from '@ridewatch/contract/admin-several';
import { useEffect, useState } from 'react';
import { ApiError } from '../../core/api-error.ts';
import { formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import type { AdminContext, Section } from './section.ts';
import { type DialogName, SeveralActions } from './several-actions.tsx';
import styles from './several-bar.module.css';
import { type ChosenRows, fullNameOfRow, type Wanted, type Would } from './several-change.ts';
import { SeveralPreview } from './several-preview.tsx';
import { type Refusal, Refusals, refusalsOf, refusedRowIn } from './several-refusals.tsx';
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
  readonly rows: ChosenRows;
  readonly would: Would;
  readonly refusals: readonly Refusal[];
  /** It was confirmed, and others had changed the rows by then. */
  readonly isAgain: boolean;
}

/** Offers what can be done with the chosen rows: all of them, or none. It is said first what would change. */
export function SeveralBar({ section, context, selection, total }: SeveralBarProps) {
  const text = useSeveralText();
  const all = useAdminText();
  const [isBusy, setBusy] = useState(false);
  const [opened, setOpened] = useState<DialogName>();
  /** The rows that refuse what was typed in the open dialog. */
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const [asked, setAsked] = useState<Asked>();
  const idsOf = (rows: ChosenRows) => [...rows.keys()];
  const count = selection.rows.size;
  useEffect(
    () => () => {
      // The button that had the focus is gone with the bar.
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>('[data-row] input[type=checkbox]')?.focus();
    },
    [],
  );
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The call has shown a toast, and what was typed stays.
      await readAgain();
    } finally {
      setBusy(false);
    }
  };
  const preview = async (wanted: Wanted, rows: ChosenRows): Promise<Would> => {
    try {
      return await wanted.change(idsOf(rows), true);
    } catch (error) {
      const row = refusedRowIn(error, rows);
      if (row === undefined) throw error;
      return { changed: 0, changed_ids: [], refused: [row] };
    }
  };
  const ask = (wanted: Wanted, rows: ChosenRows, isAgain = false) =>
    attempt(async () => {
      const would = await preview(wanted, rows);
      const refusals = refusalsOf(would.refused, rows, all);
      setRefused(refusals);
      if (opened !== undefined && refusals.length > 0) return;
      setOpened(undefined);
      setAsked({ ...wanted, rows, would, refusals, isAgain });
    });
  const confirm = (wanted: Asked) =>
    attempt(async () => {
      const { rows } = wanted;
      try {
        const { changed } = await wanted.change(idsOf(rows), false);
        showToast({ kind: 'done', text: text.done(changed, rows.size) });
      } catch (error) {
        if (refusedRowIn(error, rows) === undefined) throw error;
        await readAgain();
        return ask(wanted, rows, true);
      }
      setAsked(undefined);
      selection.leave(new Set(rows.keys()));
      await readAgain();
    });
  /** Chooses the rows no more that refuse a change. @returns the others of those that were asked */
  const leaveOut = (refusals: readonly Refusal[], rows: ChosenRows): ChosenRows => {
    const ids = new Set(refusals.map(({ id }) => id));
    selection.leave(ids);
    return new Map([...rows].filter(([id]) => !ids.has(id)));
  };
  const close = () => {
    setOpened(undefined);
    setRefused([]);
  };
  const refusals = (
    <Refusals
      refusals={refused}
      of={count}
      onLeaveOut={() => {
        leaveOut(refused, selection.rows);
        setRefused([]);
      }}
    />
  );
  return (
    <section className={styles.bar} aria-label={text.title} data-rows-bar>
      <strong role="status">
        {text.chosen(formatNumber(count))}
        {count === MOST_SEVERAL &&
          total > MOST_SEVERAL &&
          `. ${text.most(formatNumber(MOST_SEVERAL), formatNumber(total))}`}
      </strong>
      <SeveralActions
        {...{ section, context, isBusy, opened }}
        rows={[...selection.rows.values()]}
        frame={{ refusals, isBusy, onClose: close }}
        onOpen={setOpened}
        onWanted={(wanted) => void ask(wanted, selection.rows)}
      />
      <Button kind="quiet" onClick={selection.clear}>
        {text.clear}
      </Button>
      {asked && (
        <SeveralPreview
          {...{ title: asked.title, refusals: asked.refusals, isAgain: asked.isAgain, isBusy }}
          notes={asked.notesOf?.(asked.would) ?? []}
          rows={asked.would.changed_ids.map((id) => {
            const row = asked.rows.get(id) ?? { id };
            const name = fullNameOfRow(row);
            return { id, text: asked.lineOf?.(row, name, asked.would) ?? name };
          })}
          of={asked.rows.size}
          onSure={() => void confirm(asked)}
          onLeaveOut={() => void ask(asked, leaveOut(asked.refusals, asked.rows))}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}
