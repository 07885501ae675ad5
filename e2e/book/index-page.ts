/** One picture of the book. */
export interface Picture {
  readonly file: string;
  readonly name: string;
  readonly state: string;
  readonly device: string;
  readonly theme: string;
  readonly language: string;
}

const style = `
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 0 20px 40px; }
form { position: sticky; top: 0; z-index: 1; padding: 10px 0; background: Canvas; }
select { font: inherit; margin-right: 12px; }
section { display: flex; flex-wrap: wrap; gap: 12px; align-items: start; }
h2 { margin: 24px 0 8px; }
figure { margin: 0; }
img { display: block; max-height: 420px; border: 1px solid #8886; }
figcaption { color: GrayText; font-size: 12px; }`;

const script = `
const form = document.forms[0];
form.addEventListener('input', () => {
  const wanted = Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
  for (const one of document.querySelectorAll('figure')) {
    one.hidden = Object.entries(wanted).some(([key, value]) => one.dataset[key] !== value);
  }
});`;

/** The page that shows all pictures, with a choice of each kind. */
export function indexPage(pictures: readonly Picture[]): string {
  const kinds = ['state', 'device', 'theme', 'language'] as const;
  const names = [...new Set(pictures.map(({ name }) => name))];
  const choices = kinds.map((kind) => {
    const options = [...new Set(pictures.map((one) => one[kind]))];
    return `<label>${kind} <select name="${kind}"><option></option>${options
      .map((one) => `<option>${one}</option>`)
      .join('')}</select></label>`;
  });
  const sections = names.map(
    (name) =>
      `<h2>${name}</h2><section>${pictures
        .filter((one) => one.name === name)
        .map(figureOf)
        .join('')}</section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshot book</title>
<style>${style}</style><h1>Screenshot book</h1><form>${choices.join('')}</form>${sections.join('')}
<script>${script}</script></html>`;
}

function figureOf({ file, state, device, theme, language }: Picture): string {
  return `<figure data-state="${state}" data-device="${device}" data-theme="${theme}" data-language="${language}">
<a href="${file}"><img loading="lazy" src="${file}" alt=""></a>
<figcaption>${state} · ${device} · ${theme} · ${language}</figcaption></figure>`;
}
