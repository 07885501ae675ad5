import { useState } from 'react';

// The speed holds for all days and buses until the page is closed.
let last = 1;

/** The playback speed, and a function that changes it. */
export function useSpeed(): [speed: number, setSpeed: (speed: number) => void] {
  const [speed, setSpeed] = useState(last);
  const change = (next: number) => {
    last = next;
    setSpeed(next);
  };
  return [speed, change];
}
