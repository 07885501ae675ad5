import type { ReportParameters } from '@ridewatch/contract/reports';
import { tickOf } from '@ridewatch/contract/stat-ticks';
import { type RefObject, useState } from 'react';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { Popover } from '../../forms/popover.tsx';
import { DownIcon, DownloadIcon } from '../../ui/icons.tsx';
import { showToast } from '../../ui/toast-store.ts';
import styles from './export-menu.module.css';
import { ALL_WEEKDAYS, type Filters } from './filters.ts';
import { savePicture, saveTable } from './report-files.ts';
import type { Chart, Series } from './series.ts';
import { useStatsText } from './use-stats-text.ts';

const ReportDialog = lazyComponent(
  async () => (await import('../reports/report-dialog.tsx')).ReportDialog,
);

/** The exports of the chosen buses and days. */
const KINDS = ['passenger-traffic', 'tariff-calc', 'bus-load'] as const;
type Kind = (typeof KINDS)[number];

interface ExportMenuProps {
  filters: Filters;
  chart: Chart;
  shown: readonly Series[];
  /** The chart on the page; absent while it is hidden. */
  svg: RefObject<SVGSVGElement | null>;
  /** The name of the files, and what the picture is about. */
  name: string;
  /** Above the download: what is chosen. */
  about: string;
}

/** Saves the chart and its table, or opens an export of the same buses and days. */
export function ExportMenu({ filters, chart, shown, svg, name, about }: ExportMenuProps) {
  const text = useStatsText();
  const [opened, setOpened] = useState<Kind>();
  const picture = () => {
    if (!svg.current) return;
    savePicture(svg.current, shown, name).catch(() =>
      showToast({ kind: 'error', text: text.noPicture }),
    );
  };
  return (
    <>
      <Popover
        label={text.export}
        buttonClass={styles.button}
        button={
          <>
            <DownloadIcon /> {text.export} <DownIcon />
          </>
        }
      >
        {(close) => {
          const entry = (label: string, act: () => void) => (
            <button
              key={label}
              type="button"
              onClick={() => {
                close();
                act();
              }}
            >
              {label}
            </button>
          );
          return (
            <div className={styles.menu}>
              {svg.current && entry(text.savePicture, picture)}
              {entry(text.saveTable, () => saveTable(chart, name, text))}
              <hr />
              {KINDS.map((kind) => entry(text.exports[kind], () => setOpened(kind)))}
            </div>
          );
        }}
      </Popover>
      {opened && (
        <ReportDialog
          parameters={parametersOf(opened, filters)}
          about={about}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

function parametersOf(kind: Kind, filters: Filters): ReportParameters {
  const { span, period, by, weekdays, buses } = filters;
  const range = { from: span.dateFrom, to: span.dateTo };
  const chosen = { ...range, ...(buses !== 'all' && { workplaceIds: [...buses] }) };
  if (kind !== 'passenger-traffic') return { kind, ...chosen };
  const isPart = weekdays.length < ALL_WEEKDAYS.length;
  return {
    kind,
    ...chosen,
    groupby: by,
    tick: tickOf(span, period),
    ...(isPart && { dayOfWeek: [...weekdays] }),
  };
}
