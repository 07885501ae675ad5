/** The languages of the product. */
export type Language = 'ru' | 'en';

/** The client's preferred of the two languages, by Accept-Language; English for neither. */
export function languageOf(header: string | undefined): Language {
  const offers = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => {
      const [tag = '', weight = ''] = offer.trim().split(';');
      const quality = /^\s*q=([\d.]+)$/.exec(weight)?.[1];
      return { tag: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality) };
    });
  const qualityOf = (language: Language): number =>
    Math.max(0, ...offers.filter(({ tag }) => tag === language).map(({ quality }) => quality));
  return qualityOf('ru') > qualityOf('en') ? 'ru' : 'en';
}
