import type { ImportedCredential, ImportKind } from '@ridewatch/contract/admin-import';
import { type ReactNode, useState } from 'react';
import { csvOf, saveFile } from '../../../charts/save-chart.ts';
import { FileDrop } from '../../../forms/file-drop.tsx';
import { Modal } from '../../../forms/modal.tsx';
import { formatNumber } from '../../../i18n/format.ts';
import { Button } from '../../../ui/button.tsx';
import { DownloadIcon } from '../../../ui/icons.tsx';
import { readAgain } from '../use-rows.ts';
import { guessColumns } from './guess-columns.ts';
import styles from './import-dialog.module.css';
import { ImportTable } from './import-table.tsx';
import { ownColumns } from './own-columns.ts';
import { readTable } from './read-table.ts';
import type { EditedTable } from './use-check.ts';
import { columnName, useImportText } from './use-import-text.ts';

interface ImportDialogProps {
  kind: ImportKind;
  onClose: () => void;
}

interface Opened {
  readonly file: string;
  readonly sheet: string | null;
  readonly table: EditedTable;
}

interface Loaded {
  readonly created: number;
  readonly credentials: readonly ImportedCredential[];
}

const asCsv = (content: string): Blob => new Blob([content], { type: 'text/csv' });

/** Loads a table of one kind: choose a file, mend what cannot be taken, load; then the credentials of new units. */
export function ImportDialog({ kind, onClose }: ImportDialogProps) {
  const text = useImportText();
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const [opened, setOpened] = useState<Opened>();
  const [isMended, setMended] = useState(false);
  const [loaded, setLoaded] = useState<Loaded>();
  const [isSaved, setSaved] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const open = async (chosen: File): Promise<void> => {
    setFile(chosen);
    setProblem(undefined);
    const answer = await readTable(chosen);
    setFile(undefined);
    if ('problem' in answer) return setProblem(text.problems[answer.problem](answer.cell));
    const { sheet, heading, names, rows } = answer.table;
    if (rows.length === 0) return setProblem(text.problems.empty());
    const columns = guessColumns(kind, names, ownColumns(kind));
    setOpened({ file: chosen.name, sheet, table: { kind, heading, names, columns, rows } });
  };
  const hasKeys = loaded !== undefined && loaded.credentials.length > 0 && !isSaved;
  const isLosing = hasKeys || (loaded === undefined && isMended);
  const close = () => (isLosing ? setLeaving(true) : onClose());
  const saveTemplate = () => {
    const names = ownColumns(kind).map((column) => columnName(kind, column, text));
    saveFile(asCsv(csvOf([names])), `${kind}.csv`);
  };
  const template = (
    <Button kind="quiet" onClick={saveTemplate}>
      <DownloadIcon /> {text.template}
    </Button>
  );
  const sheet = opened?.sheet ? ` · ${text.sheet(opened.sheet)}` : '';
  const content = (): ReactNode => {
    if (isLeaving) {
      const count = loaded?.credentials.length ?? 0;
      return (
        <div className={styles.done}>
          <p>{hasKeys ? text.keys(count, formatNumber(count)) : text.loses}</p>
          <div className={styles.tools}>
            <Button kind="primary" onClick={() => setLeaving(false)}>
              {text.stay}
            </Button>
            <Button onClick={onClose}>{hasKeys ? text.closeWithout : text.leave}</Button>
          </div>
        </div>
      );
    }
    if (loaded) {
      const saveKeys = () => {
        saveFile(asCsv(keysOf(loaded.credentials, text)), text.keysFile);
        setSaved(true);
      };
      return <Done {...{ kind, loaded, isSaved, onClose: close }} onSave={saveKeys} />;
    }
    if (opened) {
      return (
        <ImportTable
          file={opened.file}
          table={opened.table}
          tool={template}
          onChange={(table) => {
            setOpened({ ...opened, table });
            setMended(true);
          }}
          onCancel={close}
          onLoaded={(done) => {
            setLoaded(done);
            void readAgain();
          }}
        />
      );
    }
    return (
      <>
        <p className={styles.hint}>{text.formats}</p>
        <FileDrop
          label={text.file}
          accept=".xlsx,.csv,.txt,.tsv"
          file={file}
          progress={file && 1}
          isReading
          problem={problem}
          onFile={(chosen) => void open(chosen)}
          onCancel={onClose}
        />
        <div>{template}</div>
      </>
    );
  };
  return (
    <Modal
      title={text.titles[kind]}
      isWide
      onClose={close}
      {...(opened && { note: `${opened.file}${sheet}` })}
    >
      {content()}
    </Modal>
  );
}

function keysOf(
  credentials: readonly ImportedCredential[],
  { columns }: ReturnType<typeof useImportText>,
): string {
  const names = [columns.device_id ?? '', columns.bus ?? '', columns.credential ?? ''];
  const rows = credentials.map(({ device_id, bus, credential }) => [
    device_id,
    bus ?? '',
    credential,
  ]);
  return csvOf([names, ...rows]);
}

interface DoneProps {
  kind: ImportKind;
  loaded: Loaded;
  isSaved: boolean;
  onSave: () => void;
  onClose: () => void;
}

function Done({ kind, loaded, isSaved, onSave, onClose }: DoneProps) {
  const text = useImportText();
  const { created, credentials } = loaded;
  const hasKeys = credentials.length > 0;
  return (
    <div className={styles.done} role="status">
      <p>{text.done(kind, created, formatNumber(created))}</p>
      {hasKeys && <p>{text.keys(credentials.length, formatNumber(credentials.length))}</p>}
      <div className={styles.tools}>
        {hasKeys && (
          <Button kind={isSaved ? 'plain' : 'primary'} onClick={onSave}>
            {text.saveKeys}
          </Button>
        )}
        <Button kind={hasKeys && !isSaved ? 'plain' : 'primary'} onClick={onClose}>
          {text.close}
        </Button>
      </div>
    </div>
  );
}
