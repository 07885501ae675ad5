import { MAX_PATTERNS, type RoutePattern } from '@ridewatch/contract/route-patterns';
import { NoteButton } from '../../../edits/note-button.tsx';
import { fieldProblem } from '../../../forms/field-problem.ts';
import { SavedField } from '../../../forms/saved-field.tsx';
import { useFormText } from '../../../forms/use-form-text.ts';
import { useText } from '../../../i18n/language.ts';
import { useAddress } from '../../../page/use-address.ts';
import { drawn } from '../../../ui/icons.tsx';
import type { RouteAddress } from '../address.ts';
import type { ShownRoute } from '../use-route.ts';
import styles from './patterns-bar.module.css';
import { usePatternText } from './use-pattern-text.ts';
import { usePatternEdits, usePatternProblem, usePatterns } from './use-patterns.ts';

/** The value of `pattern` in the address while the user adds one. */
export const NEW_PATTERN = 'new';

/** The patterns of a route: which one is shown, its name, and a button that adds one. */
export function PatternsBar({ route }: { route: ShownRoute }) {
  const text = usePatternText();
  const common = useText().common;
  const { search, go } = useAddress<RouteAddress>();
  const { data, error, refetch } = usePatterns(route.routeId, route.day);
  if (!data) {
    return (
      <div className={styles.bar} aria-busy={!error || undefined}>
        {error && (
          <p role="alert" className={styles.failed}>
            {text.failed} <NoteButton onClick={() => void refetch()}>{common.retry}</NoteButton>
          </p>
        )}
      </div>
    );
  }
  const isAdding = search.pattern === NEW_PATTERN;
  const shown = shownPattern(data.items, search.pattern);
  return (
    <div className={styles.all}>
      <div className={styles.bar}>
        <fieldset className={styles.patterns} aria-label={text.patterns}>
          {data.items.map((pattern) => (
            <button
              key={pattern.id ?? 0}
              type="button"
              className={styles.pattern}
              aria-pressed={!isAdding && pattern === shown}
              onClick={() =>
                go({ pattern: pattern.default ? undefined : String(pattern.id), stop: undefined })
              }
            >
              <span>{pattern.name}</span>
              {pattern.default && data.items.length > 1 && <small>{text.isDefault}</small>}
            </button>
          ))}
          {route.isOpen && !isAdding && data.items.length < MAX_PATTERNS && (
            <button
              type="button"
              className={styles.pattern}
              data-kind="add"
              onClick={() => go({ pattern: NEW_PATTERN, stop: undefined })}
            >
              <PlusIcon /> {text.add}
            </button>
          )}
        </fieldset>
      </div>
      {route.isOpen && !isAdding && shown?.id != null && data.items.length > 1 && (
        <PatternName key={shown.id} route={route} id={shown.id} name={shown.name} />
      )}
    </div>
  );
}

/** The pattern of an address; the default one without a name there. */
export function shownPattern(
  patterns: readonly RoutePattern[],
  named: string | undefined,
): RoutePattern | undefined {
  return named === undefined
    ? patterns.find((one) => one.default)
    : patterns.find(({ id }) => String(id) === named);
}

function PatternName({ route, id, name }: { route: ShownRoute; id: number; name: string }) {
  const text = usePatternText();
  const { problems } = useFormText();
  const edits = usePatternEdits(route.routeId, route.day);
  const reasonOf = usePatternProblem();
  return (
    <SavedField
      label={text.name}
      value={name}
      check={(typed) => fieldProblem(typed, { isRequired: true }, problems)}
      onSave={(typed, seen) => edits.rename(id, typed, seen)}
      reasonOf={reasonOf}
      readStored={() => edits.readName(id)}
    />
  );
}

const PlusIcon = drawn('M12 5v14M5 12h14');
