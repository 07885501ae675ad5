import type { ReportParameters } from '@ridewatch/contract/reports';
import { type SubmitEvent, useState } from 'react';
import { useToday } from '../../buses/use-today.ts';
import { DayField } from '../../forms/day-field.tsx';
import { DayPresets } from '../../forms/day-presets.tsx';
import { Button } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { formProblems } from './form-problems.ts';
import { FormatChoice } from './format-choice.tsx';
import { ReportList } from './report-list.tsx';
import styles from './reports-screen.module.css';
import { type Subject, SubjectsField } from './subjects-field.tsx';
import { useMakeReport } from './use-make-report.ts';
import { useReportForm } from './use-report-form.ts';
import { useReportText } from './use-report-text.ts';

interface ReportFormProps {
  title: string;
  intro: string;
  /** The routes or buses to choose from. */
  subjects: {
    readonly label: string;
    readonly items: readonly Subject[];
    readonly noneChosen: string;
    readonly empty: string;
    readonly isRequired: boolean;
    readonly most: number;
    readonly tooMany: string;
  };
  parametersOf: (days: { from: string; to: string }, ids: readonly number[]) => ReportParameters;
  kind: ReportParameters['kind'];
}

/** A form for a report of days and chosen subjects, and the user's reports of its kind. */
export function ReportForm({ title, intro, subjects, parametersOf, kind }: ReportFormProps) {
  const text = useReportText();
  const form = useReportForm();
  const { from, to, format, page } = form;
  const making = useMakeReport();
  // Problems of fields that the user has not come to yet are said at the press of the button.
  const [isTried, setTried] = useState(false);
  // The address may name subjects that the user does not see, or no longer.
  const known = new Set(subjects.items.map(({ id }) => id));
  const ids = new Set([...form.ids].filter((id) => known.has(id)));
  // All of them are more than a report may name; none means all.
  const isAll = !subjects.isRequired && ids.size === known.size;
  const named = isAll ? new Set<number>() : ids;
  const found = formProblems({ from, to, ids: named }, subjects, text);
  const { problem } = making;
  const problems = {
    ...(problem?.field === 'range' && { to: problem.text }),
    ...(problem?.field === 'subjects' && { ids: problem.text }),
    ...(isTried ? found : {}),
  };
  const today = useToday();
  const change: typeof form.change = (next) => {
    making.reset();
    form.change(next);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(found).length > 0 || from === undefined || to === undefined) return;
    making.make(parametersOf({ from, to }, [...named]), format);
  };
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className="phone-hidden">{title}</h1>
        <p>{intro}</p>
      </header>
      <form className={styles.form} onSubmit={submit} noValidate aria-label={title}>
        <DayPresets
          today={today}
          onSpan={({ dateFrom, dateTo }) => change({ from: dateFrom, to: dateTo })}
        />
        <div className={styles.days}>
          {(['from', 'to'] as const).map((side) => (
            <DayField
              key={side}
              label={text[side]}
              day={form[side]}
              today={today}
              problem={problems[side]}
              onDay={(day) => change({ [side]: day })}
            />
          ))}
        </div>
        <SubjectsField
          label={subjects.label}
          items={subjects.items}
          chosen={ids}
          noneChosen={subjects.noneChosen}
          empty={subjects.empty}
          problem={problems.ids}
          onChosen={(chosen) => change({ ids: chosen })}
        />
        {problem && problem.field === undefined && (
          <p role="alert" className={styles.problem}>
            {problem.text}
          </p>
        )}
        <div className={styles.actions}>
          <FormatChoice format={format} onFormat={(next) => change({ format: next })} />
          <Button type="submit" kind="primary" isBusy={making.isBusy}>
            {!making.isBusy && <DownloadIcon />}
            {making.isBusy ? text.making : text.make}
          </Button>
        </div>
      </form>
      <section className={styles.section} aria-label={text.ofKind}>
        <h2>{text.ofKind}</h2>
        <p className={styles.intro}>{text.kept}</p>
        <ReportList
          wanted={{ kind, page }}
          onPage={(next) => form.change({ page: next })}
          isBrief
        />
      </section>
    </div>
  );
}
