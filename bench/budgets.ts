import { measureBudgets } from '../scripts/budgets.ts';
import { type Bench, ofBudget } from './measure.ts';

/** W1: code and styles before the first screens, against their budgets. */
export const budgets: Bench = {
  ids: ['W1'],
  run: async () =>
    measureBudgets().map(({ name, kind, bytes, most }) =>
      ofBudget({ id: 'W1', what: `${kind} to ${name}, gz`, unit: 'bytes' }, bytes, most),
    ),
};
