/** The display settings of a bus; keys unknown to the screens are kept. */
export type BusConfig = Readonly<Record<string, unknown>>;

const MOST_LOGGED = 200;

/**
 * Reads the display settings of a bus (spec section 8).
 * @param config a JSON object as a string; anything else is logged and treated as empty
 */
export function readBusConfig(busId: number, config: string): BusConfig {
  let cause: unknown;
  try {
    const settings: unknown = JSON.parse(config);
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) {
      return { ...settings };
    }
  } catch (error) {
    cause = error;
  }
  const typed = config.slice(0, MOST_LOGGED);
  reportError(new Error(`The settings of bus ${busId} cannot be read: ${typed}`, { cause }));
  return {};
}
