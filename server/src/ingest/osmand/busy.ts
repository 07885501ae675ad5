// The refusal of a request because a port has too many at once. Anybody can bring it about as often as he likes, so the log has
// one line of it, and not one for each.
import { AppError } from '../../core/errors.ts';
import type { FaultLog } from '../../core/fault-log.ts';

/** Too many requests at once. */
export class Busy extends AppError {
  constructor() {
    super('unavailable', 'Too many requests at once.');
  }
}

/**
 * Tells the log that a port refuses requests.
 * @param faults those of the port
 * @param address whose request is refused: of many, that of the address that has the most
 */
export function tellBusy(faults: FaultLog, address: string): void {
  faults.fail('osmand', 'busy', { listener: 'osmand', address }, 'a port has too many requests');
}
