import { type AuditRow, findAuditRow, listAudit } from '@ridewatch/contract/admin-audit';
import styles from './drawer.module.css';
import { momentText } from './moments.ts';
import { findBy, listBy, type Section } from './section.ts';
import type { AdminTexts } from './texts-ru.ts';

const whoOf = ({ user, unit }: AuditRow, text: AdminTexts): string =>
  user?.name ?? unit?.name ?? text.audit.server;
const objectOf = (row: AuditRow, text: AdminTexts): string =>
  [text.audit.objects[row.object_type] ?? row.object_type, row.object_name ?? numberOf(row)]
    .filter(Boolean)
    .join(' ');

// The random id of a session says nothing to people.
const numberOf = ({ object_id }: AuditRow): string | null =>
  object_id !== null && /^\d+$/.test(object_id) ? `№ ${object_id}` : null;

/** What became different, in a line. */
function changeOf({ before, after }: AuditRow): string {
  const was = isObject(before) ? before : {};
  const is = isObject(after) ? after : {};
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys
    .map((key) =>
      key in was ? `${key}: ${shown(was[key])} → ${shown(is[key])}` : `${key}: ${shown(is[key])}`,
    )
    .join(', ');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '—');

/** The audit log; rows are only read. */
export const audit: Section<AuditRow> = {
  name: 'audit',
  list: listBy(listAudit),
  find: findBy(findAuditRow, 'auditId'),
  columns: ({ text }) => [
    {
      ...{ key: 'at', label: text.audit.when, width: '140px' },
      cell: ({ at }) => momentText(at),
    },
    {
      ...{ key: 'who', label: text.audit.who, width: 'minmax(90px, 0.8fr)' },
      cell: (row) => whoOf(row, text),
    },
    {
      ...{ key: 'action', label: text.audit.action, width: 'minmax(120px, 1fr)' },
      cell: ({ action }) => text.actions[action] ?? action,
    },
    {
      ...{ key: 'object', label: text.audit.object, width: 'minmax(130px, 1.2fr)' },
      cell: (row) => objectOf(row, text),
    },
    {
      ...{ key: 'change', label: text.audit.change, width: 'minmax(160px, 2fr)' },
      cell: changeOf,
    },
  ],
  filters: ({ text }) => [
    {
      ...{ key: 'object', query: 'objectType', label: text.audit.object },
      options: Object.entries(text.audit.objects).map(([value, label]) => ({ value, label })),
    },
    { key: 'from', query: 'from', label: text.audit.from, kind: 'day' },
    { key: 'to', query: 'to', label: text.audit.to, kind: 'day' },
  ],
  titleOf: ({ action }, { text }) => text.actions[action] ?? action,
  noteOf: (row, { text }) => `${momentText(row.at)} · ${whoOf(row, text)} · ${objectOf(row, text)}`,
  facts: (row, { text }) => [
    [text.audit.when, `${momentText(row.at)}, ${text.moscow}`],
    [text.audit.who, whoOf(row, text)],
    [text.audit.object, objectOf(row, text)],
    [text.audit.address, row.address],
    [text.audit.request, row.request_id],
  ],
  Parts: ({ row, context: { text } }) => (
    <>
      <Json title={text.audit.before} value={row.before} />
      <Json title={text.audit.after} value={row.after} />
    </>
  ),
};

function Json({ title, value }: { title: string; value: unknown }) {
  if (value === null || value === undefined) return null;
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      <pre className={styles.json}>{JSON.stringify(value, null, 2)}</pre>
    </section>
  );
}
