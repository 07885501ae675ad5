// The page contains the first styles. A disabled link is not loaded; it tells the loader of further code, which looks for
// links alone, that they are there: loading them again would cost a request and another layout.
for (const { dataset } of document.querySelectorAll<HTMLStyleElement>('style[data-file]')) {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.setAttribute('disabled', '');
  link.href = dataset.file ?? '';
  document.head.append(link);
}
