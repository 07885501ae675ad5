// What the server told a unit of its uploads: acknowledged bytes stay, until the video is stored or the unit begins again.
import { UPLOADS_PATH } from '@ridewatch/contract/unit';

export interface UploadLedger {
  /** Acknowledged bytes that were gone afterwards, a sentence each. */
  readonly faults: readonly string[];
  /**
   * Notes a call and its answer.
   * @param answered its headers; undefined for a refusal
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
  /** Files whose upload the server does not know any more, with their bytes. */
  const closed = new Map<string, number>();
  const faults: string[] = [];
  const lose = (bytes: number): void => {
    faults.push(`acknowledged and not stored: ${bytes} bytes of an upload`);
  };

  const noteCreated = (file: string, status: number, answered?: Headers): void => {
    if (status !== 201 && status !== 409) return;
    // 409: the video is stored already. 201: it is wanted, and the bytes that were there are not.
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
      const told = answered?.get('upload-offset') ?? null;
      if (told === null) return;
      if (Number(told) < upload.bytes) lose(upload.bytes - Number(told));
      upload.bytes = Number(told);
    },
  };
}
