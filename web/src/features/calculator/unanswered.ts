import type { Edit } from '../../edits/edits.ts';
import type { Field, SentValues, Typed } from './typed-values.ts';

/** As many saves without an answer as a request names; older ones are forgotten. */
const MOST = 10;

type Sent = Edit<Field, Typed>;

/**
 * The edits that were sent and have no answer, because a page that closes waits for none, or the connection broke. The
 * server may have stored any of them, so the next save of the field names them beside what the user saw.
 */
export function createUnanswered() {
  let sent: readonly Sent[] = [];
  return {
    /** The body of a save: its values, those that the user saw, and own saves that the server may have stored. */
    bodyOf: (batch: readonly Sent[]) => {
      const before = sent.filter(({ key }) => batch.some((edit) => edit.key === key));
      const seenOf = ({ key, seen }: Sent) =>
        (before.find((edit) => edit.key === key)?.seen ?? seen).sent;
      return {
        ...joined(batch.map(({ value }) => value.sent)),
        seen: joined(batch.map(seenOf)),
        ...(before.length > 0 && { unanswered: before.map(({ value }) => value.sent) }),
      };
    },
    add: (batch: readonly Sent[]) => {
      const isKnown = ({ key, value }: Sent) =>
        sent.some((edit) => edit.key === key && areSameValues(edit.value.sent, value.sent));
      sent = [...sent, ...batch.filter((edit) => !isKnown(edit))].slice(-MOST);
    },
    /** The batch has an answer. What was sent of its fields before it, the server has stored earlier or not at all. */
    end: (batch: readonly Sent[]) => {
      sent = sent.filter(({ key }) => batch.every((edit) => edit.key !== key));
    },
  };
}

const joined = (all: readonly SentValues[]): SentValues => Object.assign({}, ...all);
const areSameValues = (a: SentValues, b: SentValues): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
