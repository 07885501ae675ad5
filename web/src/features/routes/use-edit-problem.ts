import { isUnseen } from '../../edits/judge-save.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import { problemText } from './problem.ts';
import { useRouteText } from './use-route-text.ts';

// Not among the texts of the tab: prices, whose code has a budget, do not need it.
const useChangedText = textsOf({
  ru_RU: {
    changed: 'Другой пользователь уже изменил это; показано то, что сохранено сейчас',
  },
  en_US: { changed: 'Another user has changed this meanwhile; what is stored now is shown' },
});

/** Returns a function that explains in the user's language why an edit of a route or a stop failed. */
export function useEditProblem(): (error: unknown) => string {
  const text = useRouteText();
  const { changed } = useChangedText();
  return (error) => (isUnseen(error) ? changed : problemText(error, text));
}
