import type { ImportedCredential, ImportedLink } from '@ridewatch/contract/admin-import';
import { csvOf } from '../../../charts/save-chart.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { Button } from '../../../ui/button.tsx';
import { momentText } from '../moments.ts';
import styles from './import-dialog.module.css';
import { UndoTable } from './loaded-tables.tsx';
import { useImportText, type useImportText as useText } from './use-import-text.ts';

/** The outcome of a table; its secrets are shown this once. */
export interface Loaded {
  readonly created: number;
  readonly changed: number;
  readonly import_id: number | null;
  readonly credentials: readonly ImportedCredential[];
  readonly links: readonly ImportedLink[];
}

/** The secrets of new units or users as a file; undefined: there are none. */
export function secretsOf(
  { credentials, links }: Loaded,
  text: ReturnType<typeof useText>,
):
  | { readonly note: string; readonly save: string; readonly file: string; readonly csv: string }
  | undefined {
  const { columns } = text;
  const namesOf = (...keys: readonly string[]) => keys.map((key) => columns[key] ?? key);
  if (credentials.length > 0) {
    const rows = credentials.map(({ device_id, bus, credential }) => [
      ...[device_id, bus ?? '', credential],
    ]);
    return {
      note: text.keys(rows.length, formatNumber(rows.length)),
      ...{ save: text.saveKeys(rows.length), file: text.keysFile },
      csv: csvOf([namesOf('device_id', 'bus', 'credential'), ...rows]),
    };
  }
  if (links.length === 0) return undefined;
  const rows = links.map(({ login, client, path, expires_at }) => [
    ...[login, client ?? '', `${location.origin}${path}`, momentText(expires_at) ?? ''],
  ]);
  return {
    note: text.links(rows.length, formatNumber(rows.length)),
    ...{ save: text.saveLinks(rows.length), file: text.linksFile },
    csv: csvOf([namesOf('login', 'client', 'link', 'until'), ...rows]),
  };
}

interface ImportDoneProps {
  loaded: Loaded;
  isSaved: boolean;
  onSave: () => void;
  onUndone: () => void;
  onClose: () => void;
}

/** Says what was created and changed, and gives the file of secrets. */
export function ImportDone(props: ImportDoneProps) {
  const { loaded, isSaved, onSave, onUndone, onClose } = props;
  const text = useImportText();
  const { created, changed, import_id } = loaded;
  const secrets = secretsOf(loaded, text);
  return (
    <div className={styles.done} role="status">
      <p>{text.done(formatNumber(created), formatNumber(changed))}</p>
      {secrets && <p>{secrets.note}</p>}
      <div className={styles.tools}>
        {secrets && (
          <Button kind={isSaved ? 'plain' : 'primary'} onClick={onSave}>
            {secrets.save}
          </Button>
        )}
        <Button kind={secrets && !isSaved ? 'plain' : 'primary'} onClick={onClose}>
          {text.close}
        </Button>
        {import_id !== null && <UndoTable id={import_id} onUndone={onUndone} />}
      </div>
    </div>
  );
}
