import { useState } from 'react';
import { useAddress } from '../../page/use-address.ts';
import type { HelpAddress } from './address.ts';

/** The search text, and a function that sets it. The address follows: the router renders it later than keys come. */
export function useQuery(): [string, (next: string) => void] {
  const { search, note } = useAddress<HelpAddress>();
  const [query, setQuery] = useState(search.q ?? '');
  return [
    query,
    (next) => {
      setQuery(next);
      note({ q: next || undefined });
    },
  ];
}
