import type { ApiError } from '../../core/api-error.ts';

/**
 * Sends a change of stops. If neighbours are so far apart that latitude and longitude may be swapped, asks the user
 * with the server's message, which names the stops in the user's language; after a yes, sends the change again.
 * @throws the refusal, also if the user says no
 */
export async function orFar<T>(send: (confirm_far?: true) => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const { field, message } = error as ApiError;
    if (field !== 'confirm_far') throw error;
    if (!window.confirm(message)) throw error;
    return send(true);
  }
}
