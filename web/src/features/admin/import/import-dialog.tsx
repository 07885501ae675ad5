import { type ImportCheck, type ImportKind, runImport } from '@ridewatch/contract/admin-import';
import { listImports } from '@ridewatch/contract/admin-import-undo';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useEndpoint } from '../../../calls/api.ts';
import { call } from '../../../calls/request.ts';
import { useSingle } from '../../../calls/use-single.ts';
import { csvOf, saveFile } from '../../../charts/save-chart.ts';
import { ApiError, isAwayStatus } from '../../../core/api-error.ts';
import { nowMs } from '../../../core/clock.ts';
import { FileDrop } from '../../../forms/file-drop.tsx';
import { Modal } from '../../../forms/modal.tsx';
import { formatNumber } from '../../../i18n/format.ts';
import { useIsPhone } from '../../../ui/breakpoints.ts';
import { Button } from '../../../ui/button.tsx';
import { DownloadIcon } from '../../../ui/icons.tsx';
import { SideActions } from '../side-actions.tsx';
import { readAgain } from '../use-rows.ts';
import { columnName } from './cell-names.ts';
import { findHeading } from './find-heading.ts';
import { guessColumns } from './guess-columns.ts';
import styles from './import-dialog.module.css';
import { ImportDone, type Loaded, secretsOf } from './import-done.tsx';
import { ImportTable } from './import-table.tsx';
import { LoadedTables } from './loaded-tables.tsx';
import { type Lost, LostLoad, MOST_LOAD_MINUTES } from './lost-load.tsx';
import { ownColumns } from './own-columns.ts';
import { readTable } from './read-table.ts';
import { rememberColumns, rememberedColumn } from './remembered-columns.ts';
import { useAsksBeforeUnload } from './use-asks-before-unload.ts';
import { bodyOf, type EditedTable } from './use-check.ts';
import { useImportText } from './use-import-text.ts';

interface ImportDialogProps {
  kind: ImportKind;
  /** Beside the template before a file is chosen. */
  tool: ReactNode;
  onClose: () => void;
}

interface Opened {
  readonly file: string;
  /** The file, its sheet, and where its headings are if not on top. */
  readonly note: string;
  readonly table: EditedTable;
  /** The columns before the user chose one. */
  readonly guessed: EditedTable['columns'];
}

interface Load {
  readonly table: EditedTable;
  readonly file: string;
  /** The tables that were known to be loaded before. */
  readonly before: readonly number[];
  /** Takes the check of a table of which nothing was written. */
  readonly onRefused: (check: ImportCheck) => void;
}

// The server may have carried out a call whose answer did not arrive whole.
const isLost = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status < 400 || isAwayStatus(error.status);

// The server itself has answered: it does not go on with the load.
const mayGoOn = (error: Error): boolean =>
  !(error instanceof ApiError && error.error === 'unavailable');

const asCsv = (content: string): Blob => new Blob([content], { type: 'text/csv' });

/**
 * Loads a table of one kind: choose a file, mend what cannot be taken, load; then the credentials of new units or the links
 * of new users.
 */
export function ImportDialog({ kind, tool, onClose }: ImportDialogProps) {
  const text = useImportText();
  const isPhone = useIsPhone();
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const [opened, setOpened] = useState<Opened>();
  const [isMended, setMended] = useState(false);
  const [loaded, setLoaded] = useState<Loaded>();
  const [isSaved, setSaved] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  // It stays until a load is answered or undone, whatever another try comes to.
  const [lost, setLost] = useState<Lost>();
  // Whether the server may still be loading it.
  const [isGoingOn, setGoingOn] = useState(false);
  const known = useEndpoint(listImports, { query: { kind } });
  const load = useSingle(
    useMutation({
      mutationFn: ({ table, file: loading }: Load) =>
        call(runImport, { body: { ...bodyOf(table), file: loading } }),
      onSuccess: (answer, { table, onRefused }) => {
        if (answer.created + answer.changed === 0) return onRefused(answer.check);
        rememberColumns(kind, table.names, table.columns);
        setLoaded(answer);
        void readAgain();
      },
      onError: (error, { file: loading, before }) => {
        void readAgain();
        if (!isLost(error)) return;
        setLost({ kind, atMs: nowMs(), file: loading, before });
        setGoingOn(mayGoOn(error));
      },
    }),
  );
  const open = async (chosen: File): Promise<void> => {
    setFile(chosen);
    setProblem(undefined);
    const answer = await readTable(chosen);
    setFile(undefined);
    if ('problem' in answer) return setProblem(text.problems[answer.problem](answer.at));
    const guess = (headings: readonly string[]) =>
      guessColumns(kind, headings, ownColumns(kind), (one) => rememberedColumn(kind, one));
    const { sheet, titles, ...found } = findHeading(answer.table, guess);
    if (found.rows.length === 0) return setProblem(text.problems.empty());
    const table = { kind, ...found };
    const notes = [
      ...[chosen.name, sheet !== null && text.sheet(sheet)],
      titles > 0 && text.headingIn(formatNumber(table.heading)),
    ];
    setOpened({
      ...{ file: chosen.name, note: notes.filter(Boolean).join(' · ') },
      ...{ table, guessed: table.columns },
    });
  };
  // Another object has the table checked anew.
  const checkAnew = () => setOpened((now) => now && { ...now, table: { ...now.table } });
  const secrets = loaded && secretsOf(loaded, text);
  const hasKeys = secrets !== undefined && !isSaved;
  useAsksBeforeUnload(load.isPending || hasKeys);
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
      const { table } = opened;
      return (
        <>
          {lost && (
            <LostLoad
              key={lost.atMs}
              lost={lost}
              onOld={checkAnew}
              onOver={() => {
                setGoingOn(false);
                checkAnew();
              }}
              onUndone={() => {
                setLost(undefined);
                setGoingOn(false);
                checkAnew();
              }}
            />
          )}
          <ImportTable
            table={table}
            isChosen={table.columns !== opened.guessed}
            tool={template}
            isLoading={load.isPending}
            {...(isGoingOn && { waits: text.waits(MOST_LOAD_MINUTES) })}
            onChange={(changed) => {
              setOpened({ ...opened, table: changed });
              setMended(true);
            }}
            onCancel={close}
            onLoad={(onRefused) => {
              const before = (known.data?.items ?? []).map(({ id }) => id);
              load.mutate({ table, file: opened.file.slice(0, 255), before, onRefused });
            }}
          />
        </>
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
          <SideActions label={text.download} isNarrow={isPhone}>
            {() => (
              <>
                {template}
                {tool}
              </>
            )}
          </SideActions>
        </div>
        <LoadedTables kind={kind} />
      </>
    );
  };
  return (
    <Modal
      title={text.titles[kind]}
      width={opened && !loaded ? 'full' : 'wide'}
      isHeld={load.isPending}
      onClose={close}
      {...(opened && { note: opened.note })}
    >
      {content()}
    </Modal>
  );
}
