/**
 * Sets a program's or a page's `Date` ahead of the machine's; it runs on. Needs nothing from around it: a browser gets
 * its text.
 * @param offsetMs ms; below 0 for behind
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
