import { useRef } from 'react';

interface Mutation<Input> {
  readonly mutateAsync: (input: Input) => Promise<unknown>;
}
/** A mutation of which one call at most is under way. */
type Single<M, Input> = Omit<M, 'mutate' | 'mutateAsync'> & {
  readonly mutate: (input: Input) => void;
};

/**
 * Keeps a mutation to one call at a time: `mutate` does nothing while one is under way. The page shows a call as pending
 * only after its next drawing, so a double press would make two, and a secret of the first would be lost.
 * @param mutation with its callbacks in its own options: those of a `mutate` are dropped by the next one
 */
export function useSingle<Input, M extends Mutation<Input>>(
  mutation: M & Mutation<Input>,
): Single<M, Input> {
  const isUnderWay = useRef(false);
  const mutate = (input: Input): void => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const end = () => {
      isUnderWay.current = false;
    };
    // The mutation itself tells a failure.
    mutation.mutateAsync(input).then(end, end);
  };
  return { ...mutation, mutate };
}
