import { folded } from '@ridewatch/contract/folded';
import { useCallback, useId, useMemo } from 'react';
import { PickMany } from '../../forms/pick-many.tsx';
import styles from './subjects-field.module.css';
import { useReportText } from './use-report-text.ts';

/** A route or bus. */
export interface Subject {
  readonly id: number;
  readonly name: string;
  /** Tells apart items of one name. */
  readonly note?: string | undefined;
}

interface SubjectsFieldProps {
  label: string;
  items: readonly Subject[];
  chosen: ReadonlySet<number>;
  /** Said below the list while none is chosen. */
  noneChosen: string;
  /** Said if there are no items. */
  empty: string;
  /** The problem of the choice. */
  problem?: string | undefined;
  onChosen: (chosen: ReadonlySet<number>) => void;
}

/** The routes or buses of a report. */
export function SubjectsField(props: SubjectsFieldProps) {
  const { label, items, chosen, noneChosen, empty, problem, onChosen } = props;
  const text = useReportText();
  const id = useId();
  const known = useMemo(
    () =>
      items.map((item) => ({
        node: { ...item, key: String(item.id) },
        sought: folded(`${item.name} ${item.note ?? ''}`),
      })),
    [items],
  );
  const find = useCallback(
    (query: string) => {
      const needle = folded(query);
      return known.filter(({ sought }) => sought.includes(needle)).map(({ node }) => node);
    },
    [known],
  );
  return (
    <fieldset
      className={styles.field}
      aria-describedby={problem === undefined ? undefined : `${id}-problem`}
      data-problem={problem === undefined ? undefined : true}
    >
      <legend className={styles.label}>{label}</legend>
      <div className={styles.box}>
        <PickMany
          label={text.listOf(label)}
          search={text.search}
          all={text.all}
          className={styles.pick}
          {...{ empty, find, chosen, onChosen }}
        />
        <p className={styles.foot} role="status">
          {chosen.size === 0 ? noneChosen : text.chosen(chosen.size, items.length)}
        </p>
      </div>
      {problem !== undefined && (
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}
