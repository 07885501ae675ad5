import type { QueryOf } from '@ridewatch/contract/endpoint';
import * as exported from '@ridewatch/contract/report-exports';
import * as contract from '@ridewatch/contract/reports';
import type { FastifyRequest } from 'fastify';
import { findReport, type ReportFile } from '../access/report.ts';
import type { Visible } from '../access/visible.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import { notFound } from '../core/errors.ts';
import { actorOf, serve } from '../core/http/http.ts';
import { languageOf } from '../core/http/language.ts';
import { RawAnswer } from '../core/http/send-cached.ts';
import { loadKeys } from '../core/signing-keys.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import { createOpenStreams } from '../media/serving/open-streams.ts';
import { attachmentOf, type SentFile, sendFile } from '../media/serving/send-file.ts';
import { createVideoVerifier } from '../media/serving/sign.ts';
import { checkRows, countRows, fileName } from './file.ts';
import { createFileThreads } from './file-thread.ts';
import { askReport, checkStillVisible } from './question.ts';
import { findReportAnswer, listReports } from './report-list.ts';
import { cancelReport, insertReport } from './requests.ts';
import { createSentFiles } from './sent-files.ts';
import { type FileForm, formatIn } from './writing/write-table.ts';

/** Reports on a page unless the request says how many (spec section 9). */
const PAGE = 10;

/** Exports at once, and reports that a job makes. */
export const addReports: Feature = async (app, deps, auth) => {
  const { clock, config } = deps;
  const { db } = deps.database;
  const keys = await loadKeys(db, 'video', clock.nowMs());
  const verify = createVideoVerifier(keys);
  const streams = createOpenStreams(deps);
  const sentFiles = createSentFiles();
  const threads = createFileThreads(deps.database);
  app.addHook('onClose', () => threads.close());
  app.addHook('onClose', async () => streams.close());
  const answering = () => ({ keys, nowMs: clock.nowMs(), filesDays: config.keepDays.files });
  const ask = (viewer: Viewer, ...more: [contract.ReportParameters, contract.ReportLanguage]) =>
    askReport({ db, config, clock }, viewer, ...more);

  async function sendNow(
    { request, viewer, actor }: { request: FastifyRequest; viewer: Viewer; actor: Actor },
    parameters: contract.ReportParameters,
    wanted: contract.ReportLanguage | undefined,
  ): Promise<RawAnswer> {
    const language = wanted ?? preferred(request);
    const form = formOf(request.headers.accept);
    const format = formatIn(form);
    const question = await ask(viewer, parameters, language);
    await checkRows(db, question);
    const headers = {
      'content-type': mediaTypeOf(format),
      'content-disposition': attachmentOf(fileName(parameters, format, language)),
      'cache-control': 'no-store',
      vary: 'accept, accept-language',
    };
    if (request.method === 'HEAD') return new RawAnswer(Buffer.alloc(0), headers);
    const file = await sentFiles.begin(viewer, () => threads.write(question, form));
    const busIds = question.buses.map(({ id }) => id);
    // A user who loses a right also loses the rest of the file.
    const unwatch = streams.watch({
      check: async () =>
        checkStillVisible(
          { db, config, clock },
          await auth.viewerOfHolder(viewer),
          parameters,
          busIds,
        ),
      stop: () => file.destroy(new Error('The user may no longer see the rows.')),
    });
    file.once('close', unwatch);
    await insertAudit(db, actor, { action: 'export', objectType: 'report', after: parameters });
    return new RawAnswer(file, headers);
  }

  serve(app, auth, exported.exportPassengerTraffic, 'user', async ({ query, ...call }) => {
    const { groupby, tick, dayOfWeek } = query;
    const days = dayOfWeek === undefined ? {} : { dayOfWeek: [dayOfWeek].flat().map(Number) };
    const grouped = { groupby, ...(tick === undefined ? {} : { tick }), ...days };
    const parameters = { kind: 'passenger-traffic' as const, ...busesOf(query), ...grouped };
    return sendNow(call, parameters, query.language);
  });
  const byBuses = [
    [exported.exportTariffCalc, 'tariff-calc'],
    [exported.exportWorkplacesReport, 'workplaces-report'],
    [exported.exportBusLoad, 'bus-load'],
    [exported.exportTest, 'test-export'],
  ] as const;
  for (const [endpoint, kind] of byBuses) {
    serve(app, auth, endpoint, 'user', async ({ query, ...call }) =>
      sendNow(call, { kind, ...busesOf(query) }, query.language),
    );
  }
  serve(app, auth, exported.exportAdvancedReport, 'user', async ({ query, ...call }) => {
    const { from, to, groupIds } = query;
    const parameters = { kind: 'advanced-report' as const, from, to, groupIds: [groupIds].flat() };
    return sendNow(call, parameters, query.language);
  });

  serve(app, auth, contract.estimateReport, 'user', async ({ viewer, body, request }) => {
    // The file is asked for next.
    threads.prepare();
    const question = await ask(viewer, body.parameters, preferred(request));
    const rows = await countRows(db, question, contract.MAX_ROWS_AT_ONCE + 1);
    const most = contract.MAX_ROWS_AT_ONCE;
    return { rows: Math.min(rows, most), is_long: rows > most };
  });

  serve(app, auth, contract.requestReport, 'user', async ({ viewer, actor, body, request }) => {
    const { parameters, format, language = preferred(request) } = body;
    const question = await ask(viewer, parameters, language);
    await checkRows(db, question);
    const id = await insertReport(db, actor, question, format, clock.nowMs());
    return findReportAnswer(db, viewer, id, answering());
  });

  serve(app, auth, contract.listReports, 'user', async ({ viewer, query }) => {
    const { kind, status, page = '0', perPage = `${PAGE}` } = query;
    const wanted = { kind, status, page: Number(page), perPage: Number(perPage) };
    return listReports(db, viewer, wanted, answering());
  });

  serve(app, auth, contract.findReport, 'user', async ({ viewer, params }) =>
    findReportAnswer(db, viewer, params.reportId, answering()),
  );

  serve(app, auth, contract.cancelReport, 'user', async ({ viewer, actor, params }) => {
    const { id } = await findReport(db, viewer, params.reportId);
    await cancelReport(db, actor, id, clock.nowMs());
    return findReportAnswer(db, viewer, id, answering());
  });

  serve(app, auth, contract.downloadReport, 'public', async ({ request, reply, params, query }) => {
    const { reportId } = params;
    const { hash } = query;
    const viewer = await auth.viewerOfEither(request, hash, () =>
      verify(hash, { fragmentId: reportId, variant: 'report' }, clock.nowMs()),
    );
    const findVisible = async (who: Viewer): Promise<Visible<ReportFile>> => {
      const report = await findReport(db, who, reportId);
      await checkStillVisible({ db, config, clock }, who, report.parameters, report.busIds);
      return report;
    };
    const report = await findVisible(viewer);
    const file = fileOf(report);
    // A resumed download is the same one.
    if (request.method === 'GET' && /^bytes=0-/i.test(request.headers.range ?? 'bytes=0-')) {
      await insertAudit(db, actorOf(request, { viewer }, clock.nowMs()), {
        action: 'download_report',
        objectType: 'report',
        objectId: reportId,
      });
    }
    const check = async (): Promise<unknown> => findVisible(await auth.viewerOfHolder(viewer));
    const saveAs = fileName(report.parameters, report.format, report.language);
    const mediaType = mediaTypeOf(report.format);
    await sendFile(deps, streams, { request, reply, file, mediaType, saveAs, check });
    return undefined;
  });
};

function busesOf({
  from,
  to,
  workplaceIds,
}: Pick<QueryOf<typeof exported.exportTest>, 'from' | 'to' | 'workplaceIds'>) {
  return {
    from,
    to,
    ...(workplaceIds === undefined ? {} : { workplaceIds: [workplaceIds].flat() }),
  };
}

function preferred(request: FastifyRequest): contract.ReportLanguage {
  return languageOf(request.headers['accept-language']) === 'ru' ? 'ru_RU' : 'en_US';
}

// A spreadsheet, unless the client would rather have text: `text/csv`, or `text/csv; delimiter=semicolon` or `comma`.
function formOf(accept = ''): FileForm {
  const offerOf = (type: string): string | undefined =>
    accept.split(',').find((one) => one.trim().toLowerCase().startsWith(type));
  const weightOf = (offer: string | undefined): number =>
    offer === undefined ? 0 : Number(/;\s*q=([\d.]+)/.exec(offer)?.[1] ?? 1);
  const csv = offerOf(contract.reportTypes.csv);
  if (weightOf(csv) <= weightOf(offerOf(contract.reportTypes.xlsx))) return 'xlsx';
  const delimiter = /;\s*delimiter="?(comma|semicolon)"?/i.exec(csv ?? '')?.[1]?.toLowerCase();
  return delimiter === 'comma' || delimiter === 'semicolon' ? `csv;${delimiter}` : 'csv';
}

function mediaTypeOf(format: contract.ReportFormat): string {
  return format === 'csv'
    ? `${contract.reportTypes.csv}; charset=utf-8`
    : contract.reportTypes.xlsx;
}

function fileOf({ storageKey, sizeBytes, sha256 }: Visible<ReportFile>): Visible<SentFile> {
  if (storageKey === null || sizeBytes === null || sha256 === null) throw notFound();
  const etag = `"${sha256.toString('hex')}"`;
  return { storageKey, sizeBytes, etag, format: null } as Visible<SentFile>;
}
