// Why a terminal of JT/T 808 cannot tell the cameras of a bus apart. Refusals are rare, so the texts load with the first one.
import { ChannelRefusal } from '@ridewatch/contract/channel-refusal';
import { currentLanguage } from '../../i18n/language.ts';

const texts = {
  ru_RU: (cameras: string) =>
    `У камер ${cameras} один канал регистратора: у каждой камеры автобуса свой канал`,
  en_US: (cameras: string) =>
    `The cameras ${cameras} have one channel of the registrar: each camera of a bus has its own`,
};
const marks = { ru_RU: ['«', '»', ' и '], en_US: ['“', '”', ' and '] } as const;

/** Explains a refused key, protocol or bus. @param current of the answer @returns undefined if it has another cause */
export function channelProblem(current: unknown): string | undefined {
  const { success, data } = ChannelRefusal.safeParse(current);
  if (!success) return undefined;
  const language = currentLanguage();
  const [open, close, and] = marks[language];
  const named = data.cameras.map(({ name, stream_id }) => `${open}${name}${close} (${stream_id})`);
  return texts[language](named.join(and));
}
