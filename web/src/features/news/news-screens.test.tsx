import { findMedia, readNews, searchNews } from '@ridewatch/contract/news';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from '../../test/made.ts';
import { newsItem } from '../../test/made-notifications.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(readNews, undefined as never);
});

describe('the news', () => {
  it('say when they are from, keep their lines, and make links of web addresses', async () => {
    const text = 'Первая строка\nПодробно: https://example.org/a?b=1. Спасибо';
    server.answer(searchNews, page([newsItem(1, { title: 'Работы', text })]));
    await openScreen(server, '/news');
    const article = within(await screen.findByRole('article'));
    expect(article.getByText('10.03.2026')).toBeVisible();
    const link = article.getByRole('link', { name: 'https://example.org/a?b=1' });
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
    expect(link.closest('p')?.textContent).toBe(text);
    expect(article.getByRole('img', { name: 'unread' })).toBeVisible();
  });

  it('are of the day that begins in Moscow', async () => {
    server.answer(searchNews, page([newsItem(1, { dateFrom: '2026-03-09T21:00:00.000Z' })]));
    await openScreen(server, '/news');
    expect(await screen.findByText('10.03.2026')).toBeVisible();
  });

  it('are never HTML', async () => {
    server.answer(searchNews, page([newsItem(1, { text: '<img src=x onerror=alert(1)>' })]));
    await openScreen(server, '/news');
    expect(await screen.findByText('<img src=x onerror=alert(1)>')).toBeVisible();
  });

  it('come in pages, which the address names', async () => {
    server.answer(searchNews, ({ query }) => ({
      items: [newsItem(Number(query.get('page')) + 1)],
      number: Number(query.get('page')),
      total: 21,
    }));
    const { hand, address } = await openScreen(server, '/news');
    const pages = within(await screen.findByRole('navigation', { name: 'News' }));
    expect(pages.getByRole('button', { name: 'Newer' })).toBeDisabled();
    await hand.click(pages.getByRole('button', { name: 'Older' }));
    expect(await screen.findByRole('heading', { name: /News 2/ })).toBeVisible();
    expect(address()).toMatch(/\/news\?page=2$/);
    const asked = server.asked(searchNews).at(-1)?.query;
    expect(asked?.get('perPage')).toBe('10');
    // Nobody chooses the size of a page.
    expect(screen.queryByRole('combobox')).not.toBeInTheDocument();
  });

  it('beyond the last page show the last one', async () => {
    server.answer(searchNews, ({ query }) => ({
      items: query.get('page') === '0' ? [newsItem(1)] : [],
      number: Number(query.get('page')),
      total: 1,
    }));
    const { address } = await openScreen(server, '/news?page=9');
    expect(await screen.findByRole('heading', { name: /News 1/ })).toBeVisible();
    expect(address()).toMatch(/\/news$/);
  });

  it.each(['abc', '-1', '1.5', '0', '1'])(
    'show the first page of %s, without it in the address',
    async (key) => {
      server.answer(searchNews, page([newsItem(1)]));
      const { address } = await openScreen(server, `/news?page=${key}`);
      expect(await screen.findByRole('heading', { name: /News 1/ })).toBeVisible();
      expect(address()).toMatch(/\/news$/);
    },
  );

  it('are read when the user leaves', async () => {
    server.answer(searchNews, page([newsItem(1), newsItem(2, { read: true })]));
    const { hand } = await openScreen(server, '/news');
    await screen.findByRole('heading', { name: /News 1/ });
    expect(server.asked(readNews)).toHaveLength(0);
    await hand.click(screen.getByRole('link', { name: 'Reports' }));
    await waitFor(() =>
      expect(server.asked(readNews).map(({ params }) => params.newsId)).toEqual(['1']),
    );
  });

  it('are read when the tab is closed or loaded again', async () => {
    server.answer(searchNews, page([newsItem(1), newsItem(2, { read: true })]));
    const { unmount } = await openScreen(server, '/news');
    await screen.findByRole('heading', { name: /News 1/ });
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(server.asked(readNews)).toHaveLength(1));
    unmount();
    expect(server.asked(readNews).map(({ params }) => params.newsId)).toEqual(['1']);
  });

  it.each(['/news', '/faq'])('at %s say that they load', async (address) => {
    server.hang(searchNews);
    await openScreen(server, address);
    expect(await screen.findByText('Loading...')).toBeVisible();
  });

  it('that could not be marked as read say so in a toast', async () => {
    server.answer(searchNews, page([newsItem(1)]));
    server.refuse(readNews, 'internal');
    const { hand } = await openScreen(server, '/news');
    await screen.findByRole('heading', { name: /News 1/ });
    await hand.click(screen.getByRole('link', { name: 'Reports' }));
    expect(await screen.findByText('500: It was refused.')).toBeVisible();
  });

  it('say that there are none, or that they could not be loaded', async () => {
    server.refuse(searchNews, 'internal');
    const { hand } = await openScreen(server, '/news');
    expect(await screen.findByRole('heading', { name: 'Loading error' })).toBeVisible();
    server.answer(searchNews, page([]));
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No news yet')).toBeVisible();
  });
});

describe('the file of a news item', () => {
  const openWith = async (format: string) => {
    server.answer(searchNews, page([newsItem(1, { title: 'Карта', mediaId: 5 })]));
    server.answer(findMedia, { data: 'AAAA', format, name: `карта.${format}` });
    return openScreen(server, '/news');
  };

  it.each(['jpeg', 'png', 'gif', 'webp'])('of type %s is shown', async (format) => {
    await openWith(format);
    const image = await screen.findByRole('img', { name: 'Карта' });
    expect(image).toHaveAttribute('src', `data:image/${format};base64,AAAA`);
  });

  it.each(['svg', 'pdf', 'html'])('of type %s is saved, never opened', async (format) => {
    await openWith(format);
    const link = await screen.findByRole('link', { name: `Download карта.${format}` });
    expect(link).toHaveAttribute('download', `карта.${format}`);
    expect(link.getAttribute('href')).toMatch(/^data:application\/octet-stream;/);
  });

  it('that cannot be loaded says so, and is asked for again', async () => {
    server.answer(searchNews, page([newsItem(1, { mediaId: 5 })]));
    server.hang(findMedia);
    const { hand } = await openScreen(server, '/news');
    expect(await screen.findByText('Loading...')).toBeVisible();
    server.refuse(findMedia, 'internal');
    const { queryClient } = await import('../../calls/api.ts');
    await queryClient.cancelQueries({ queryKey: [findMedia.path] });
    await queryClient.refetchQueries({ queryKey: [findMedia.path] });
    const alert = await screen.findByText('Loading error');
    server.answer(findMedia, { data: 'AAAA', format: 'png', name: 'a.png' });
    await hand.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('img', { name: 'News 1' })).toBeVisible();
  });
});

describe('the questions', () => {
  const faq = (id: number) =>
    newsItem(id, { type: 'FAQ', title: `Question ${id}`, text: `Answer ${id}` });

  it('open one by one, and the address names the open ones', async () => {
    server.answer(searchNews, page([faq(1), faq(2)]));
    const { hand, address } = await openScreen(server, '/faq');
    expect(await screen.findByText('Question 1')).toBeVisible();
    expect(screen.queryByText('Answer 1')).not.toBeInTheDocument();
    await hand.click(screen.getByText('Question 1'));
    expect(await screen.findByText('Answer 1')).toBeVisible();
    expect(screen.queryByText('Answer 2')).not.toBeInTheDocument();
    expect(address()).toMatch(/\/faq\?open=1$/);
    const query = server.asked(searchNews)[0]?.query;
    expect([query?.get('type'), query?.get('perPage')]).toEqual(['FAQ', '5000']);
  });

  it('are open when the address names them', async () => {
    server.answer(searchNews, page([faq(1), faq(2)]));
    await openScreen(server, '/faq?open=2');
    expect(await screen.findByText('Answer 2')).toBeVisible();
    expect(screen.queryByText('Answer 1')).not.toBeInTheDocument();
  });

  it('show their file with the answer', async () => {
    server.answer(searchNews, page([newsItem(1, { type: 'FAQ', title: 'Where?', mediaId: 5 })]));
    server.answer(findMedia, { data: 'AAAA', format: 'png', name: 'plan.png' });
    const { hand } = await openScreen(server, '/faq');
    await hand.click(await screen.findByText('Where?'));
    expect(await screen.findByRole('img', { name: 'Where?' })).toHaveAttribute(
      'src',
      'data:image/png;base64,AAAA',
    );
  });

  it('say that there are none, or that they could not be loaded', async () => {
    server.refuse(searchNews, 'internal');
    const { hand } = await openScreen(server, '/faq');
    expect(await screen.findByRole('heading', { name: 'Loading error' })).toBeVisible();
    server.answer(searchNews, page([]));
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No questions yet')).toBeVisible();
  });
});
