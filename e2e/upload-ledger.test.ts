import { UPLOADS_PATH } from '@ridewatch/contract/unit';
import { describe, expect, it } from 'vitest';
import { createUploadLedger } from '../harness/upload-ledger.ts';

const create = { method: 'POST', headers: { 'upload-metadata': 'seq NDM=' } };
const patch = { method: 'PATCH' };
const head = { method: 'HEAD' };
const at = (location: string) => new Headers({ location });
const offset = (bytes: number) => new Headers({ 'upload-offset': String(bytes) });

/** A ledger of an upload with 4 acknowledged bytes. */
function begun() {
  const ledger = createUploadLedger();
  ledger.note(UPLOADS_PATH, create, 201, at('/a'));
  ledger.note('/a', patch, 204, offset(4));
  return ledger;
}

describe('the ledger of uploads', () => {
  it('finds nothing where the bytes stay and the video is stored', () => {
    const ledger = begun();
    ledger.note('/a', patch, 503);
    ledger.note('/a', head, 200, offset(6));
    ledger.note('/a', patch, 409);
    // The last answer was lost, and the upload has been verified.
    ledger.note('/a', head, 404);
    ledger.note(UPLOADS_PATH, create, 503);
    ledger.note(UPLOADS_PATH, create, 409);
    expect(ledger.faults).toEqual([]);
  });

  it('finds nothing where the unit itself begins again', () => {
    const ledger = begun();
    ledger.note(UPLOADS_PATH, create, 201, at('/b'));
    ledger.note('/b', patch, 204, offset(4));
    expect(ledger.faults).toEqual([]);
  });

  it('finds bytes that the server forgot', () => {
    const ledger = begun();
    ledger.note('/a', head, 200, offset(1));
    expect(ledger.faults).toEqual(['acknowledged and not stored: 3 bytes of an upload']);
  });

  it('finds an upload that the server forgot', () => {
    const ledger = begun();
    ledger.note('/a', patch, 404);
    ledger.note(UPLOADS_PATH, create, 201, at('/b'));
    expect(ledger.faults).toEqual(['acknowledged and not stored: 4 bytes of an upload']);
  });
});
