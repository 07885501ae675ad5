import type { ApiError } from '../../api-error.ts';

/**
 * Sends a change of stops; where neighbours lie so far apart that latitude and longitude may be swapped, asks with the
 * server's sentence, which names them in the user's language, and sends it once more when they are right.
 * @throws what was refused, also when they are not right
 */
export async function orFar<T>(send: (confirm_far?: true) => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const { field, message } = error as ApiError;
    if (field !== 'confirm_far') throw error;
    // As an error of ours its sentence is shown as it is.
    if (!window.confirm(message)) throw new Error(message);
    return send(true);
  }
}
