import type { ImportKind } from '@ridewatch/contract/admin-import';
import { type ReactNode, useState } from 'react';
import { csvOf, saveFile } from '../../../charts/save-chart.ts';
import { FileDrop } from '../../../forms/file-drop.tsx';
import { Modal } from '../../../forms/modal.tsx';
import { Button } from '../../../ui/button.tsx';
import { DownloadIcon } from '../../../ui/icons.tsx';
import { readAgain } from '../use-rows.ts';
import { guessColumns } from './guess-columns.ts';
import styles from './import-dialog.module.css';
import { ImportDone, type Loaded, secretsOf } from './import-done.tsx';
import { ImportTable } from './import-table.tsx';
import { LoadedTables } from './loaded-tables.tsx';
import { ownColumns } from './own-columns.ts';
import { readTable } from './read-table.ts';
import { rememberColumns, rememberedColumn } from './remembered-columns.ts';
import type { EditedTable } from './use-check.ts';
import { columnName, useImportText } from './use-import-text.ts';

interface ImportDialogProps {
  kind: ImportKind;
  /** Beside the template before a file is chosen. */
  tool: ReactNode;
  onClose: () => void;
}

interface Opened {
  readonly file: string;
  readonly sheet: string | null;
  readonly table: EditedTable;
}

const asCsv = (content: string): Blob => new Blob([content], { type: 'text/csv' });

/**
 * Loads a table of one kind: choose a file, mend what cannot be taken, load; then the credentials of new units or the links
 * of new users.
 */
export function ImportDialog({ kind, tool, onClose }: ImportDialogProps) {
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
    const columns = guessColumns(kind, names, ownColumns(kind), (heading) =>
      rememberedColumn(kind, heading),
    );
    setOpened({ file: chosen.name, sheet, table: { kind, heading, names, columns, rows } });
  };
  const secrets = loaded && secretsOf(loaded, text);
  const hasKeys = secrets !== undefined && !isSaved;
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
      return (
        <div className={styles.done}>
          <p>{hasKeys ? secrets.note : text.loses}</p>
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
        if (secrets) saveFile(asCsv(secrets.csv), secrets.file);
        setSaved(true);
      };
      return (
        <ImportDone {...{ loaded, isSaved, onClose: close }} onSave={saveKeys} onUndone={onClose} />
      );
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
            rememberColumns(kind, opened.table.names, opened.table.columns);
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
        <div className={styles.tools}>
          {template}
          {tool}
        </div>
        <LoadedTables kind={kind} />
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
