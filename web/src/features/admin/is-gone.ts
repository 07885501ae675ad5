import { ApiError } from '../../core/api-error.ts';

/** Whether the product says that a row does not exist; the 404 of a proxy does not. */
export const isGone = (error: Error | null): boolean =>
  error instanceof ApiError && error.error === 'not_found';
