import { publicSettings } from '@ridewatch/contract/auth';
import { MAP_RANGE_BYTES, readMapFile } from '@ridewatch/contract/map-file';
import { hasAdministrator } from '../auth/setup-links.ts';
import { AppError, notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { RawAnswer } from '../core/http/send-cached.ts';
import type { Feature } from '../deps.ts';
import { readRange } from '../media/serving/byte-range.ts';
import { openMapFile } from './map-file.ts';

/** Serves what pages know before sign-in, and the map file for signed-in users. */
export const addSettings: Feature = async (app, { config, database: { db }, log }, auth) => {
  // Once there is one, the call needs no database any more: the next start prints a link at the earliest.
  let isSetUp = await hasAdministrator(db);
  const mapFile = config.mapFile === undefined ? undefined : await openMapFile(config.mapFile);
  app.addHook('onClose', async () => mapFile?.close());

  serve(app, auth, publicSettings, 'public', async () => {
    isSetUp ||= await hasAdministrator(db);
    return {
      company_name: config.companyName,
      support_email: config.supportEmail,
      demo: config.demo,
      needs_setup: !isSetUp,
      mail_available: config.smtpUrl !== undefined,
      openid: config.openid?.name ?? null,
      tile_url: config.tileUrl ?? null,
      tile_attribution: config.tileAttribution,
      map_version: mapFile?.version ?? null,
    };
  });

  serve(app, auth, readMapFile, 'user', async ({ request, reply, params }) => {
    // Another version: the page is older or newer than this process.
    if (mapFile === undefined || params.version !== mapFile.version) throw notFound();
    const wanted = readRange(request.headers.range, mapFile.sizeBytes);
    if (wanted.kind === 'whole') {
      throw new AppError('invalid_request', 'must be one range of bytes', { field: 'Range' });
    }
    if (wanted.kind === 'none') {
      void reply.header('content-range', `bytes */${mapFile.sizeBytes}`);
      throw new AppError('range_not_satisfiable', 'The range lies outside the file.');
    }
    const { from } = wanted.range;
    const to = Math.min(wanted.range.to, from + MAP_RANGE_BYTES - 1);
    const bytes = await mapFile.read({ from, to });
    if (bytes === undefined) {
      log.warn(
        { file: config.mapFile },
        'MAP_FILE was overwritten: restart the server to serve it',
      );
      throw notFound();
    }
    void reply.code(206);
    return new RawAnswer(bytes, {
      'content-type': 'application/vnd.pmtiles',
      'content-range': `bytes ${from}-${to}/${mapFile.sizeBytes}`,
      // The version in the address names the content.
      'cache-control': 'private, max-age=604800, immutable',
    });
  });
};
