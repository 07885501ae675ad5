import {
  AuditKind,
  type AuditRow,
  findAuditRow,
  listAudit,
  MOST_AUDIT_ROWS,
} from '@ridewatch/contract/admin-audit';
import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { Link } from '@tanstack/react-router';
import { auditText, changesOf, nameOfUnknown } from './audit-changes.ts';
import { auditQuery } from './audit-export.tsx';
import { actionName, actionOptions } from './audit-filters.ts';
import styles from './drawer.module.css';
import { DrawerPart } from './drawer-part.tsx';
import { momentText } from './moments.ts';
import { type AdminContext, findBy, listBy, type Section } from './section.ts';
import type { AdminTexts } from './texts-ru.ts';

const whoOf = ({ user, unit }: AuditRow, text: AdminTexts): string =>
  user?.name ?? unit?.name ?? text.audit.server;
/** The sections whose tables are loaded and saved, by the type of their rows. */
const sectionOf: Readonly<Record<string, AdminSection>> = {
  ...{ client: 'customers', user: 'users', workplace: 'buses', unit: 'units', camera: 'cameras' },
};

function objectOf(row: AuditRow, text: AdminTexts): string {
  const { object_type: type, object_id: id, object_name: name } = row;
  if (id === null && row.import_id !== null) return tableOf(row) ?? '';
  const section = sectionOf[type];
  if (id === null && section !== undefined) return text.sections[section];
  return [text.audit.objects[type] ?? type, name ?? nameOfUnknown(row) ?? numberOf(row)]
    .filter(Boolean)
    .join(' ');
}

/** The loaded table that wrote a row; undefined: none. */
const tableOf = ({ import_id: id }: AuditRow): string | undefined =>
  id === null ? undefined : auditText().table(`${id}`);
/** The same where the row is about an object of the table. */
const tableBeside = (row: AuditRow): string | undefined =>
  row.object_id === null ? undefined : tableOf(row);

// The random id of a session says nothing to people.
const numberOf = ({ object_id }: AuditRow): string | null =>
  object_id !== null && /^\d+$/.test(object_id) ? `№ ${object_id}` : null;

/** Says what became different, in a line. */
const lineOf = (row: AuditRow, text: AdminTexts): string =>
  changesOf(row, text)
    // A count by hand that is empty on both sides has not changed.
    .filter(({ was, is }) => (was ?? auditText().notCounted) !== is)
    .map(({ label, was, is }) =>
      was === undefined || is === undefined ? `${label}: ${was ?? is}` : `${label}: ${was} → ${is}`,
    )
    .join(', ');

const list = listBy(listAudit);

/** The audit log; rows are only read. */
export const audit: Section<AuditRow> = {
  name: 'audit',
  list: (query, signal) => list(auditQuery(query), signal),
  find: findBy(findAuditRow, 'auditId'),
  properties: ({ text }) => {
    const said = text.audit;
    return [
      {
        ...{ key: 'at', label: said.when, width: '140px', value: ({ at }) => momentText(at) },
        inDrawer: ({ at }) => `${momentText(at)}, ${text.moscow}`,
      },
      {
        ...{ key: 'who', label: said.who, width: 'minmax(90px, 0.6fr)' },
        value: (row) => whoOf(row, text),
      },
      {
        ...{ key: 'action', label: said.action, width: 'minmax(120px, 1.5fr)' },
        ...{ value: ({ action }) => actionName(action), inDrawer: 'none' },
      },
      {
        ...{ key: 'object', label: said.object, width: 'minmax(130px, 1.5fr)' },
        value: (row) => objectOf(row, text),
      },
      {
        ...{ key: 'change', label: said.change, width: 'minmax(160px, 1.6fr)' },
        value: (row) => [tableBeside(row), lineOf(row, text)].filter(Boolean).join(' · '),
        inDrawer: 'none',
      },
      { key: 'address', label: said.address, value: ({ address }) => address },
      {
        ...{ key: 'import', label: auditText().import },
        value: ({ import_id }) =>
          import_id && (
            <Link
              to="/admin/{-$section}/{-$id}"
              params={{ section: 'audit', id: undefined }}
              search={{ import: `${import_id}` }}
              className={styles.more}
            >
              № {import_id}
            </Link>
          ),
      },
      { key: 'request', label: said.request, value: ({ request_id }) => request_id },
    ];
  },
  mostCounted: MOST_AUDIT_ROWS,
  none: () => auditText().none,
  filters: ({ text }) => [
    { key: 'who', query: 'userId', label: text.audit.who, kind: 'user' },
    {
      ...{ key: 'action', query: 'action', label: text.audit.action, kind: 'pick' },
      options: actionOptions(),
    },
    {
      ...{ key: 'kind', query: 'kind', label: auditText().kind, any: auditText().everything },
      // Sign-ins and views would fill the log.
      initial: 'change',
      options: AuditKind.options.map((value) => ({ value, label: auditText().kinds[value] })),
    },
    {
      ...{ key: 'object', query: 'objectType', label: text.audit.object },
      options: Object.entries(text.audit.objects).map(([value, label]) => ({ value, label })),
    },
    { key: 'id', query: 'objectId', label: text.audit.object, kind: 'id' },
    { key: 'import', query: 'importId', label: auditText().import, kind: 'id' },
    { key: 'from', query: 'from', label: text.audit.from, kind: 'day' },
    { key: 'to', query: 'to', label: text.audit.to, kind: 'day' },
  ],
  titleOf: ({ action }) => actionName(action),
  noteOf: (row, { text }) =>
    [momentText(row.at), whoOf(row, text), objectOf(row, text), tableBeside(row)]
      .filter(Boolean)
      .join(' · '),
  Parts: ({ row, context }) => <Changes {...{ row, context }} />,
};

/** Shows what was before and after, a field each; and as it is stored. */
function Changes({ row, context: { text } }: { row: AuditRow; context: AdminContext }) {
  const changes = changesOf(row, text);
  if (changes.length === 0) return null;
  const hasBefore = changes.some(({ was }) => was !== undefined);
  const hasAfter = changes.some(({ is }) => is !== undefined);
  return (
    <>
      <DrawerPart title={text.audit.change}>
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">{auditText().field}</th>
              {hasBefore && <th scope="col">{text.audit.before}</th>}
              {hasAfter && <th scope="col">{hasBefore ? text.audit.after : text.audit.value}</th>}
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, label, was, is }) => (
              <tr key={field}>
                <th scope="row">{label}</th>
                {hasBefore && <td>{was}</td>}
                {hasAfter && <td>{is}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </DrawerPart>
      <details className={styles.part}>
        <summary>{auditText().raw}</summary>
        <Json title={text.audit.before} value={row.before} />
        <Json title={text.audit.after} value={row.after} />
      </details>
    </>
  );
}

function Json({ title, value }: { title: string; value: unknown }) {
  if (value === null || value === undefined) return null;
  return (
    <figure className={styles.raw}>
      <figcaption>{title}</figcaption>
      <pre className={styles.json}>{JSON.stringify(value, null, 2)}</pre>
    </figure>
  );
}
