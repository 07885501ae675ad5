// Records what the server acknowledged of a unit's uploads: these bytes stay until the video is stored or the unit
// starts the upload again.
import { UPLOADS_PATH } from '@ridewatch/contract/unit';

export interface UploadLedger {
  /** Acknowledged bytes that were lost afterwards, one sentence each. */
  readonly faults: readonly string[];
  /**
   * Records a call and its answer.
   * @param answered headers of the answer; undefined for a refusal
   */
  note(address: string, init: RequestInit, status: number, answered?: Headers): void;
}

interface Upload {
  /** The fragment's number and the checksum, as the unit sent them. */
  readonly file: string;
  /** The largest offset that the server acknowledged. */
  bytes: number;
}

/** Makes the ledger of one unit. */
export function createUploadLedger(): UploadLedger {
  const uploads = new Map<string, Upload>();
  /** Files whose upload the server no longer has, with their acknowledged bytes. */
  const closed = new Map<string, number>();
  const faults: string[] = [];
  const lose = (bytes: number): void => {
    faults.push(`acknowledged and not stored: ${bytes} bytes of an upload`);
  };

  const noteCreated = (file: string, status: number, answered?: Headers): void => {
    if (status !== 201 && status !== 409) return;
    // 409: the video is already stored. 201: the server wants it, so earlier bytes are lost.
    const bytes = closed.get(file) ?? 0;
    closed.delete(file);
    if (status === 409) return;
    if (bytes > 0) lose(bytes);
    uploads.set(answered?.get('location') ?? '', { file, bytes: 0 });
  };

  return {
    faults,
    note: (address, { method, headers }, status, answered) => {
      if (address === UPLOADS_PATH && method === 'POST') {
        noteCreated(new Headers(headers).get('upload-metadata') ?? '', status, answered);
        return;
      }
      const upload = uploads.get(address);
      if (upload === undefined) return;
      if (status === 404) {
        uploads.delete(address);
        closed.set(upload.file, upload.bytes);
      }
      const offset = answered?.get('upload-offset') ?? null;
      if (offset === null) return;
      if (Number(offset) < upload.bytes) lose(upload.bytes - Number(offset));
      upload.bytes = Number(offset);
    },
  };
}
