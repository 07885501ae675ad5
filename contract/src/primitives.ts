import * as z from 'zod/mini';

/** Longest text field anywhere (spec section 9). */
export const MAX_TEXT_LENGTH = 255;
/** Largest id: a PostgreSQL bigint that still fits a JavaScript number. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** An integer id in a JSON body or answer. */
export const Id = z.int().check(z.minimum(1), z.maximum(MAX_ID));

/** An integer id in a path or query string. */
export const IdText = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,15}$/, 'must be a positive integer')),
  z.pipe(z.transform(Number), Id),
);

/** A moment: ISO 8601 in UTC with `Z`. */
export const Moment = z.iso.datetime({ offset: false });

/** A local day `YYYY-MM-DD` that exists in the calendar, of this century, which every zone and database accepts. */
export const Day = z.iso.date().check(z.regex(/^20\d\d-/, 'must be a day of 2000 to 2099'));

/**
 * Emoji, of which some parts have no picture of their own (Unicode, UTS 51): flags by tags, keycaps, and pictures with
 * skin tones, joined ones too. And the joiner that some alphabets write between letters.
 */
const JOINED =
  /\u{1f3f4}[\u{e0061}-\u{e007a}]+\u{e007f}|[0-9#*]\ufe0f?\u20e3|\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?(?:\u200d\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?)*|(?<=\p{L})\u200c(?=\p{L})/gu;
/**
 * Controls, format characters and others without a picture (Unicode, Default_Ignorable_Code_Point), and the blank of
 * Braille.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a text has characters that nobody sees, or that change the order of others: two such names may look the same. */
export function hasInvisible(text: string): boolean {
  return text.replace(JOINED, '').search(INVISIBLE) >= 0;
}

/** Whether there is anything to see in a text of several lines. */
export const isSeen = (text: string): boolean => /\S/.test(text.replace(INVISIBLE, ''));

/** A foreign text without them. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** The fault of such a text, as the end of a sentence that begins with its field. */
export const HAS_INVISIBLE = 'must have no invisible or control characters';

/** A name, or another text of one line. */
export const Text = z.string().check(
  z.minLength(1),
  z.maxLength(MAX_TEXT_LENGTH),
  z.regex(/\S/, 'must not be blank'),
  z.refine((text) => !hasInvisible(text), HAS_INVISIBLE),
);

/** An IANA zone that this runtime knows, for instance `Europe/Moscow`. */
export const Zone = z.string().check(
  z.maxLength(64),
  // Browsers accept offsets such as +03:00, but databases read their sign the other way round.
  z.regex(/^[A-Za-z]/, 'must be an IANA time zone'),
  z.refine((name) => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: name });
      return true;
    } catch {
      return false;
    }
  }, 'must be an IANA time zone'),
);

export const Point = z.object({
  latitude: z.number().check(z.minimum(-90), z.maximum(90)),
  longitude: z.number().check(z.minimum(-180), z.maximum(180)),
});
export type Point = z.infer<typeof Point>;
