import { useState } from 'react';

// Until the page is left for good: whoever watches at a speed does so from day to day and bus to bus.
let last = 1;

/** How fast videos play, and how to change it. */
export function useSpeed(): [speed: number, setSpeed: (speed: number) => void] {
  const [speed, setSpeed] = useState(last);
  const change = (next: number) => {
    last = next;
    setSpeed(next);
  };
  return [speed, change];
}
