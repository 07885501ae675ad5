import type { ReportFormat, ReportParameters } from '@ridewatch/contract/reports';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Modal } from '../../forms/modal.tsx';
import { formatDay } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { FormatChoice } from './format-choice.tsx';
import styles from './report-dialog.module.css';
import { useMakeReport } from './use-make-report.ts';
import { useReportText } from './use-report-text.ts';

interface ReportDialogProps {
  parameters: ReportParameters;
  /** The subject, besides the kind and days. */
  about?: string;
  onClose: () => void;
  /** Below the download. */
  children?: ReactNode;
}

/** Downloads a report as XLSX or CSV, at once or by a job. */
export function ReportDialog({ parameters, about, onClose, children }: ReportDialogProps) {
  const text = useReportText();
  const [format, setFormat] = useState<ReportFormat>('xlsx');
  const { make, isBusy, made, problem } = useMakeReport();
  const { kind, from, to } = parameters;
  const days = from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  return (
    <Modal title={text.kinds[kind]} onClose={onClose}>
      <p className={styles.note}>{about === undefined ? days : `${about} · ${days}`}</p>
      <FormatChoice format={format} onFormat={setFormat} />
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem.text}
        </p>
      )}
      {made?.kind === 'requested' && (
        <p role="status" className={styles.note}>
          {text.requested}{' '}
          <Link to="/reports" className={styles.link}>
            {text.toReports}
          </Link>
        </p>
      )}
      <Button kind="primary" isBusy={isBusy} onClick={() => make(parameters, format)}>
        {!isBusy && <DownloadIcon />}
        {isBusy ? text.making : text.download}
      </Button>
      {children}
    </Modal>
  );
}
