// The audit log as a file. It is short, so it is written before it is sent: no reader can hold it up.
import { sayAction } from '@ridewatch/contract/action-words';
import { MOST_AUDIT_EXPORT } from '@ridewatch/contract/admin-audit';
import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import type { ReportFormat, ReportLanguage } from '@ridewatch/contract/reports';
import type { Db } from '../core/db/db.ts';
import { type Row, type TableColumn, tableFile } from '../reports/report-list.ts';
import { type AuditFilters, listAuditIds, readAuditRows, type StoredRow } from './audit-rows.ts';

/** Rows of a statement. */
const LOT = 1000;

const titles = {
  ru_RU: [
    ...['Время, Москва', 'Кто', 'Действие', 'Код действия', 'Объект', 'Название', 'Было', 'Стало'],
    ...['Адрес', 'Загрузка таблицы'],
  ],
  en_US: [
    ...['Time, Moscow', 'Who', 'Action', 'Code of the action', 'Object', 'Name', 'Before', 'After'],
    ...['Address', 'Loaded table'],
  ],
} as const satisfies Record<ReportLanguage, readonly string[]>;
const names = { ru_RU: 'Журнал', en_US: 'Audit log' } as const;

/** The name under which the file is saved. */
export function auditFileName(format: ReportFormat, language: ReportLanguage): string {
  return `${names[language].replaceAll(' ', '-')}.${format}`;
}

/** Writes the commands that filters name. @throws AppError too_large above MOST_AUDIT_EXPORT rows */
export async function writeAudit(
  db: Db,
  filters: AuditFilters,
  format: ReportFormat,
  language: ReportLanguage,
): Promise<Buffer> {
  const columns = titles[language].map((title, at): TableColumn => {
    return {
      title,
      type: at === 0 ? 'moment' : 'text',
      width: [19, 16, 30, 22, 20, 24, 40, 40][at] ?? 16,
    };
  });
  const parts: Buffer[] = [];
  const table = { name: names[language], columns, lots: lotsOf(db, filters, language) };
  for await (const part of tableFile(table, format, language)) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

async function* lotsOf(
  db: Db,
  filters: AuditFilters,
  language: ReportLanguage,
): AsyncGenerator<readonly Row[]> {
  const ids = await listAuditIds(db, filters, MOST_AUDIT_EXPORT);
  for (let from = 0; from < ids.length; from += LOT) {
    const rows = await readAuditRows(db, ids.slice(from, from + LOT));
    yield rows.map((row) => cellsOf(row, language));
  }
}

function cellsOf(row: StoredRow, language: ReportLanguage): Row {
  const wall = formatMoment(Date.parse(row.at), FALLBACK_ZONE, 'YYYY-MM-DDTHH:mm:ss');
  const json = (value: unknown): string | null =>
    value === null || value === undefined ? null : JSON.stringify(value);
  return [
    Date.parse(`${wall}Z`),
    row.user?.name ?? row.unit?.name ?? null,
    sayAction(row.action, language),
    row.action,
    [row.object_type, row.object_id].filter((part) => part !== null).join(' '),
    row.object_name,
    json(row.before),
    json(row.after),
    row.address,
    row.import_id === null ? null : String(row.import_id),
  ];
}
