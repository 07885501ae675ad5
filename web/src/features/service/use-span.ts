import { useEffect, useEffectEvent, useState } from 'react';
import { useAddress } from '../../page/use-address.ts';
import type { ServiceAddress } from './address.ts';
import { readSpan, type Span, writeSpan } from './span.ts';

/** Delay after which a changed range is written to the address, ms. */
const SETTLED_MS = 200;

/**
 * The selected range of the day, which is also in the address.
 * @param bounds start and end of the day
 */
export function useSpan(
  bounds: Span,
): readonly [Span | undefined, (span: Span | undefined) => void] {
  const { search, note } = useAddress<ServiceAddress>();
  const [span, setSpan] = useState(() => readSpan(search.span, bounds));
  const written = span && writeSpan(span, bounds);
  const write = useEffectEvent((wanted: string | undefined) => {
    if (search.span !== wanted) note({ span: wanted });
  });
  useEffect(() => {
    const timer = setTimeout(() => write(written), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [written]);
  return [span, setSpan];
}
