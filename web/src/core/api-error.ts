/** A failed call; status 0 if there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  /** Code of the contract, `network` or `unexpected_answer`. */
  readonly error: string;
  readonly field: string | undefined;
  /** Retry-After of the answer, s; 0 without it. */
  readonly retryAfterS: number;
  /** The value that is stored now, or the cause, where the call says so. */
  readonly current: unknown;

  constructor(
    status: number,
    error: string,
    message: string,
    more: {
      field?: string | undefined;
      retryAfterS?: number;
      current?: unknown;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'ApiError';
    this.status = status;
    this.error = error;
    this.field = more.field;
    this.retryAfterS = more.retryAfterS ?? 0;
    this.current = more.current;
  }
}

/** Whether a status says that a proxy found no server (502, 504), or the server no database (503). */
export const isAwayStatus = (status: number): boolean => status > 501 && status < 505;

/** Longest message of an answer, UTF-16 units. */
const MOST_SHOWN = 255;

/**
 * Reads the error of an answer: error_description, message, error, the text, the status text, or 'Undefined Error'
 * (spec section 8). A page of a proxy is no text to show.
 */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const body = objectOf(text);
  const word = (key: string) => {
    const value = body?.[key];
    return typeof value === 'string' && value ? value : undefined;
  };
  const message =
    word('error_description') ??
    word('message') ??
    word('error') ??
    (body || /^\s*</.test(text) ? undefined : text || undefined) ??
    (response.statusText || 'Undefined Error');
  return new ApiError(
    response.status,
    word('error') ?? 'unexpected',
    message.slice(0, MOST_SHOWN),
    {
      field: word('field'),
      // A date instead of seconds is not ours.
      retryAfterS: Number(response.headers.get('retry-after')) || 0,
      current: body?.current,
    },
  );
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    // Not JSON, for instance a proxy's page: the caller shows the text.
    return undefined;
  }
}
