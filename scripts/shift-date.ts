/**
 * Shifts the `Date` of a program or page against the machine's; it keeps running. Uses nothing outside its body,
 * because a browser gets its source text.
 * @param offsetMs how far it is ahead, ms; negative when behind
 */
export function shiftDate(offsetMs: number): void {
  const real = Date;
  const nowMs = (): number => real.now() + offsetMs;
  globalThis.Date = new Proxy(real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget) as Date,
    apply: () => new real(nowMs()).toString(),
    get: (target, name) => (name === 'now' ? nowMs : Reflect.get(target, name)),
  });
}
