import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import type { listAddress } from './address.ts';
import { filters, oneOf, sorts } from './arrangement.ts';
import { isAhead, openText, seeAddress, sendText } from './query-text.ts';

/** Longer than between two keys, because a write of the address costs a slow machine as much time as a key may take. */
const ADDRESS_DELAY_MS = 1000;

type Change = Partial<Record<keyof typeof listAddress, string | undefined>>;

/** The search, filter and order of the list, which the address holds. */
export function useListAddress() {
  const navigate = useNavigate();
  const address = useSearch({ strict: false });
  const change = useCallback(
    (to: Change) =>
      void navigate({
        to: '.',
        search: (before) => definedIn({ ...before, ...to }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const [query, setQuery, sendQuery] = useQueryText(address.q ?? '', change);
  return {
    query,
    setQuery,
    /** Writes the search to the address now: the user leaves the field, perhaps for another page. */
    sendQuery,
    filter: oneOf(filters, address.show),
    sort: oneOf(sorts, address.sort),
    /** The id of the only listed customer, as text. */
    customer: address.customer,
    change,
  };
}

function definedIn(search: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).filter((pair): pair is [string, string] => Boolean(pair[1])),
  );
}

// The field changes at once, the address after a pause in typing.
function useQueryText(
  inAddress: string,
  change: (to: Change) => void,
): [string, (value: string) => void, () => void] {
  const [text, setText] = useState(() => openText(inAddress));
  if (inAddress !== text.inAddress) setText(seeAddress(text, inAddress));
  const { typed } = text;
  const ahead = isAhead(text);
  const send = useCallback(() => {
    setText(sendText);
    change({ q: typed || undefined });
  }, [typed, change]);
  useEffect(() => {
    if (!ahead) return;
    const timer = setTimeout(send, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [ahead, send]);
  const setTyped = (value: string): void => setText((before) => ({ ...before, typed: value }));
  return [typed, setTyped, () => ahead && send()];
}
