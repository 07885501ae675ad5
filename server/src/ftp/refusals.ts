import { AppError, asPassing } from '../core/errors.ts';

const answers: Readonly<Partial<Record<AppError['code'], string>>> = {
  unauthorized: '530 The login has ended.',
  insufficient_storage: '452 The disk of the server is full.',
  video_off: '450 The server takes no video yet.',
  unavailable: '450 Try again.',
  conflict: '550 The video is not wanted.',
  not_found: '550 The video is not wanted.',
  too_large: '552 The file has more bytes than were announced.',
};

/** A failed command: its error, and the answer to it. */
interface Refusal {
  /** Undefined: a fault of the server. */
  readonly code: AppError['code'] | undefined;
  readonly answer: string;
  /** Whether the log is to have it: nobody knows of it otherwise. */
  readonly isFault: boolean;
}

/** The answer to a command that failed. A database or a bucket that is away is no fault: the registrar tries again. */
export function refusalOf(thrown: unknown): Refusal {
  const error = thrown instanceof AppError ? thrown : asPassing(thrown);
  const answer =
    error?.code === 'offset_mismatch' ? `554 ${error.message}` : error && answers[error.code];
  return {
    code: error?.code,
    answer: answer ?? '451 The server failed.',
    isFault: answer === undefined,
  };
}
